import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Invalid } from '../../errors.ts';
import { csvLine, parseUsers } from './user-csv.ts';

const header = 'username,email,full_name,role\n';

describe('users from CSV', () => {
  it('returns the first line of each user', () => {
    const users = parseUsers(
      `\uFEFF${header}\r\n"a","a@b.example.com","A\nB",student\n,,,\nc,c@d.example.com,C,student`,
    );
    assert.deepEqual(
      users.map(({ line, fields }) => [line, fields.username, fields.full_name]),
      [
        [3, 'a', 'A\nB'],
        [6, 'c', 'C'],
      ],
    );
  });

  for (const [what, line] of [
    [`${header}a,"b`, 2],
    [`${header}a,b,c,d\na"x,b,c,d`, 3],
    [`${header}"a"x,b,c,d`, 2],
  ] as const)
    it(`reports a stray quotation mark in line ${line}: ${JSON.stringify(what.slice(header.length))}`, () => {
      assert.throws(
        () => parseUsers(what),
        (error: Invalid) => error.items[0]?.loc[1] === line && /quotation mark/.test(error.items[0].msg),
      );
    });

  it('reads a megabyte of quotes in linear time', () => {
    const begin = performance.now();
    assert.throws(() => parseUsers(header + '"a""'.repeat(250_000)), Invalid);
    assert.ok(performance.now() - begin < 5000);
  });
});

describe('a line of CSV', () => {
  it('quotes cells where needed, and escapes formulas', () => {
    assert.equal(csvLine(['a"b', 'c,d', '=1+1', null, 5, true]), '"a""b","c,d",\'=1+1,,5,true\r\n');
  });
});
