import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { foldName, usernameProblem } from '../../values/username.ts';
import { proposedUsernames, usernameOfAddress } from './proposed-usernames.ts';

describe('usernames from addresses', () => {
  it('are the part before the at sign, in the form of usernames', () => {
    for (const [address, name] of [
      ['Anna.Petrova@school.example.com', 'anna.petrova'],
      ["o'neil+a@example.com", "o'neil+a"],
      ['a/b!c@example.com', 'a-b-c'],
      ['ольга@пример.рф', 'ольга'],
      ['.x@school.example.com', 'x-school'],
      ['!!@school.example.com', 'user-school'],
      [`${'y'.repeat(64)}@example.com`, 'y'.repeat(59)],
    ] as const) {
      assert.equal(usernameOfAddress(address), name);
      assert.equal(usernameProblem(name, undefined), undefined, name);
    }
  });

  it('are unique among accounts and lines, whatever their case', async () => {
    const emails = ['anna@a.example.com', 'Anna@b.example.com', '', 'max@a.example.com', 'anna@c.example.com'];
    const taken = new Set(['anna', 'anna3']);
    const proposed = await proposedUsernames(
      emails,
      new Set(['max']),
      async (names) => new Set(names.map(foldName).filter((name) => taken.has(name))),
    );
    assert.deepEqual(proposed, ['anna2', 'anna4', '', 'max2', 'anna5']);
  });

  it('are found in a few looks at the accounts, however many begin alike', async () => {
    const emails = Array.from({ length: 5000 }, (_, index) => `anna@${index}.example.com`);
    let looks = 0;
    const proposed = await proposedUsernames(emails, new Set(), async (names) => {
      looks += 1;
      return new Set(names.filter((name) => Number(name.slice(4)) <= 3000 || name === 'anna'));
    });
    assert.deepEqual([new Set(proposed).size, looks < 15], [5000, true], `${looks}`);
  });
});
