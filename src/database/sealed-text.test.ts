import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TextSeal } from './sealed-text.ts';

const secretKey = 'a secret key of more than thirty-two bytes';
const place = 'lesson_repositories.sealed_key 7';
const text = 'kéy\n'.repeat(100);

describe('sealed texts', () => {
  const seal = new TextSeal(secretKey);

  it('are opened by every process with the same secret key', () => {
    const sealed = seal.seal(text, place);
    assert.ok(!sealed.includes('kéy'));
    assert.equal(new TextSeal(secretKey).open(sealed, place), text);
    assert.ok(!seal.seal(text, place).equals(sealed));
    assert.equal(seal.open(seal.seal('', place), place), '');
  });

  it('are not opened with another key, at another place, or after a change of any byte', () => {
    const sealed = seal.seal('short', place);
    assert.equal(new TextSeal(`${secretKey}!`).open(sealed, place), undefined);
    assert.equal(seal.open(sealed, `${place}1`), undefined);
    for (let index = 0; index < sealed.length; index += 1) {
      const changed = Buffer.from(sealed);
      changed[index] = (changed[index] ?? 0) ^ 1;
      assert.equal(seal.open(changed, place), undefined, `byte ${index}`);
      assert.equal(seal.open(sealed.subarray(0, index), place), undefined);
    }
  });
});
