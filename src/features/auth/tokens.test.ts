import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import { UnauthorizedError } from '../../errors.ts';
import { Tokens, tokenLifetime } from './tokens.ts';

const secretKey = 'a secret key of more than thirty-two bytes';
const now = Date.UTC(2030, 0, 1, 12, 0, 0, 123);
const seconds = Math.floor(now / 1000);
// fast-jwt reads the real clock for `exp`. Tokens of this test's clock are valid in any year before 2030.
const tokens = new Tokens(secretKey, () => now);

const encode = (part: unknown): string =>
  Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url');
/** Builds a token manually. */
function forge(
  payload: unknown,
  header: unknown = { alg: 'HS256', typ: 'JWT' },
  key = secretKey,
  hash = 'sha256',
): string {
  const content = `${encode(header)}.${encode(payload)}`;
  return `${content}.${createHmac(hash, key).update(content).digest('base64url')}`;
}
const refused = (token: string) =>
  assert.throws(
    () => tokens.verify(token),
    (error) => error instanceof UnauthorizedError && error.message === 'Could not validate credentials',
  );

describe('tokens', () => {
  it('contain the user as text, the expiry and the time of issue in whole seconds, and the milliseconds beside them', () => {
    const token = tokens.issue(42, 'a-login', new Date(now));
    const [header, payload] = token.split('.').map((part) => Buffer.from(part, 'base64url').toString());
    assert.deepEqual(JSON.parse(header ?? ''), { alg: 'HS256', typ: 'JWT' });
    assert.deepEqual(JSON.parse(payload ?? ''), {
      sub: '42',
      sid: 'a-login',
      iat: seconds,
      ms: 123,
      exp: seconds + tokenLifetime,
    });
    assert.deepEqual(tokens.verify(token), {
      userId: 42,
      login: 'a-login',
      issuedAt: now,
      expiresAt: (seconds + tokenLifetime) * 1000,
    });
  });

  it('are accepted from any library with the same key', () => {
    assert.deepEqual(tokens.verify(forge({ sub: '42', exp: seconds + 60, iat: seconds })), {
      userId: 42,
      login: `issued:${seconds * 1000}`,
      issuedAt: seconds * 1000,
      expiresAt: (seconds + 60) * 1000,
    });
    const claims = { sub: '42', sid: 'a-login', iat: seconds, ms: 123, exp: seconds + tokenLifetime };
    assert.equal(forge(claims), tokens.issue(42, 'a-login', new Date(now)));
  });

  it('may have the user as a number, and a time of issue with a fraction, as those of earlier releases', () => {
    assert.equal(tokens.verify(forge({ sub: 42, exp: seconds + 60 })).userId, 42);
    const { issuedAt } = tokens.verify(forge({ sub: '42', iat: now / 1000, exp: seconds + 60.5 }));
    assert.equal(issuedAt, now);
    for (const ms of [-1, 1000, '5', null, Number.MAX_VALUE])
      assert.equal(tokens.verify(forge({ sub: '42', iat: seconds, ms, exp: seconds + 60 })).issuedAt, seconds * 1000);
    for (const sub of [0, -1, 1.5, 3_000_000_000, true, [42], { id: 42 }, '042', ' 42', 'x'])
      refused(forge({ sub, exp: seconds + 60 }));
  });

  it('need only a subject and an expiry', () => {
    const claims = tokens.verify(forge({ sub: '42', exp: seconds + tokenLifetime }));
    assert.deepEqual(claims, {
      userId: 42,
      login: `issued:${seconds * 1000}`,
      issuedAt: seconds * 1000,
      expiresAt: (seconds + tokenLifetime) * 1000,
    });
    assert.equal(tokens.verify(forge({ sub: '42', exp: seconds + 60, role: 'admin', extra: [1] })).userId, 42);
    assert.equal(tokens.verify(forge({ sub: '42', exp: seconds + 60 }, { alg: 'HS256' })).userId, 42);
    for (const sid of [7, null, '', 'a b', 'x'.repeat(65)])
      assert.equal(
        tokens.verify(forge({ sub: '42', exp: seconds + 60, sid })).login,
        `issued:${claims.issuedAt - (tokenLifetime - 60) * 1000}`,
      );
  });

  const good = { sub: '42', exp: seconds + 60 };
  const bad: [string, string][] = [
    ['nothing', ''],
    ['text', 'token'],
    ['dots', '..'],
    ['four parts', `${forge(good)}.x`],
    ['no signature', forge(good).replace(/[^.]*$/, '')],
    ['another key', forge(good, undefined, 'another secret key of thirty-two bytes')],
    ['an empty key', forge(good, undefined, '')],
    ['a changed payload', [forge(good).split('.')[0], encode({ ...good, sub: '1' }), forge(good).split('.')[2]].join('.')],
    ['alg none', `${encode({ alg: 'none', typ: 'JWT' })}.${encode(good)}.`],
    ['alg None', `${encode({ alg: 'None', typ: 'JWT' })}.${encode(good)}.`],
    ['alg none with a signature', forge(good, { alg: 'none', typ: 'JWT' })],
    ['no alg', forge(good, { typ: 'JWT' })],
    ['HS384', forge(good, { alg: 'HS384', typ: 'JWT' }, secretKey, 'sha384')],
    ['HS512', forge(good, { alg: 'HS512', typ: 'JWT' }, secretKey, 'sha512')],
    ['HS256 in words, SHA-512 in deed', forge(good, undefined, secretKey, 'sha512')],
    ['RS256', forge(good, { alg: 'RS256', typ: 'JWT' })],
    ['no end', forge({ sub: '42' })],
    ['an end that is null', forge({ sub: '42', exp: null })],
    ['an end that is text', forge({ sub: '42', exp: String(seconds + 60) })],
    ['an end that is over', forge({ sub: '42', exp: seconds })],
    ['an end long over', forge({ sub: '42', exp: 1 })],
    ['an end before time', forge({ sub: '42', exp: -1 })],
    ['no subject', forge({ exp: seconds + 60 })],
    ['a number with a fraction as the subject', forge({ ...good, sub: 42.5 })],
    ['a name as the subject', forge({ ...good, sub: 'admin' })],
    ['an empty subject', forge({ ...good, sub: '' })],
    ['zero', forge({ ...good, sub: '0' })],
    ['a negative subject', forge({ ...good, sub: '-1' })],
    ['a fraction', forge({ ...good, sub: '1.5' })],
    ['an exponent', forge({ ...good, sub: '1e3' })],
    ['SQL', forge({ ...good, sub: '1 or 1=1' })],
    ['a subject with a line end', forge({ ...good, sub: '42\n' })],
    ['a subject beyond any id', forge({ ...good, sub: '2147483648' })],
    ['a list as the subject', forge({ ...good, sub: ['42'] })],
    ['a moment of issue that is text', forge({ ...good, iat: 'now' })],
    ['a time before which it is not good', forge({ ...good, nbf: seconds + 30 })],
    ['a payload that is no object', forge('42')],
    ['a payload that is null', forge(null)],
    ['a payload that is not JSON', forge('{')],
  ]; // biome-ignore format: a table
  for (const [what, token] of bad) it(`are refused: ${what}`, () => refused(token));
});
