import assert from 'node:assert/strict';
import { sign, verify } from 'node:crypto';
import { it } from 'node:test';
import { publicKeyOf, publicKeyText, signingKey } from './signing-key.ts';

it('the signing key is the same for the same secret key, and its public key verifies', () => {
  const key = signingKey('a'.repeat(32));
  const text = publicKeyText(key);
  assert.equal(text, publicKeyText(signingKey('a'.repeat(32))));
  assert.notEqual(text, publicKeyText(signingKey('b'.repeat(32))));
  const signature = sign(null, Buffer.from('text'), key);
  const publicKey = publicKeyOf(text) ?? assert.fail('no key');
  assert.equal(verify(null, Buffer.from('text'), publicKey, signature), true);
  assert.equal(verify(null, Buffer.from('Text'), publicKey, signature), false);
  assert.equal(publicKeyOf('short'), undefined);
});
