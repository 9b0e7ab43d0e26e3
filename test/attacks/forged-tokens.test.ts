import assert from 'node:assert/strict';
import { createHmac, generateKeyPairSync, sign as signWith } from 'node:crypto';
import { after, before, it } from 'node:test';
import { describeLong } from '../rounds.ts';
import { TestServer, type TestUser } from '../server.ts';
import { TerminalClient } from '../terminal-client.ts';

const secretKey = 'a secret key of more than thirty-two bytes';
const encode = (part: unknown): string =>
  Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url');
const hs256 = { alg: 'HS256', typ: 'JWT' };
const signature = (content: string, key: string | Buffer = secretKey, hash = 'sha256'): string =>
  createHmac(hash, key).update(content).digest('base64url');
const sign = (payload: unknown, header: unknown = hs256, key: string | Buffer = secretKey, hash = 'sha256'): string => {
  const content = `${encode(header)}.${encode(payload)}`;
  return `${content}.${signature(content, key, hash)}`;
};
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = publicKey.export({ type: 'spki', format: 'pem' });
const now = Math.floor(Date.now() / 1000);
const exp = now + 3600;

/** Tokens made without the key or from one valid token, and signed tokens with claims that the service never issues. */
function forgeries(good: string, mine: string, others: string): Record<string, string> {
  const claims = { sub: mine, exp };
  const [header = '', payload = '', proof = ''] = good.split('.');
  const content = `${header}.${payload}`;
  const altered = encode({ sub: others, exp });
  const rsa = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(claims)}`;
  const flip = (text: string, at: number) => text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);
  const none = (alg: string) => `${encode({ alg, typ: 'JWT' })}.${encode(claims)}.`;
  const unsigned = (alg: string) => sign(claims, { alg, typ: 'JWT' });
  return {
    'alg none': none('none'),
    'alg None': none('None'),
    'alg NONE with a signature': `${none('NONE')}${proof}`,
    'alg none with the real signature': `${encode({ alg: 'none' })}.${payload}.${proof}`,
    'no alg': sign(claims, { typ: 'JWT' }),
    'alg empty': unsigned(''),
    'alg null': sign(claims, { alg: null }),
    'alg a list': sign(claims, { alg: ['HS256'] }),
    'alg hs256 in small letters': unsigned('hs256'),
    'alg HS384': sign(claims, { alg: 'HS384' }, secretKey, 'sha384'),
    'alg HS512': sign(claims, { alg: 'HS512' }, secretKey, 'sha512'),
    'alg HS512 over an HS256 signature': unsigned('HS512'),
    'alg RS256 of a key pair of mine': `${rsa}.${signWith('sha256', Buffer.from(rsa), privateKey).toString('base64url')}`,
    'HS256 with a public key for the secret': sign(claims, hs256, pem),
    'RS256 with an HMAC': unsigned('RS256'),
    'alg EdDSA': unsigned('EdDSA'),
    'another key': sign(claims, hs256, 'another key, also of more than thirty-two bytes'),
    'an empty key': sign(claims, hs256, ''),
    'a key that is cut': sign(claims, hs256, secretKey.slice(0, 32)),
    'a jwk that brings its own key': sign(claims, { ...hs256, jwk: { kty: 'oct', k: encode('mine') } }, 'mine'),
    'a jku': sign(claims, { ...hs256, jku: 'http://127.0.0.1:9/keys' }, 'mine'),
    'an x5u': sign(claims, { ...hs256, x5u: 'http://127.0.0.1:9/cert' }, 'mine'),
    'a kid that is a path': sign(claims, { ...hs256, kid: '../../../../dev/null' }, ''),
    'a kid that is SQL': sign(claims, { ...hs256, kid: "x' union select 'mine" }, 'mine'),
    "another's sub under my signature": `${header}.${altered}.${proof}`,
    'a signature of another token': `${content}.${signature(`${header}.${altered}`, 'mine')}`,
    'a signature with one bit turned': `${content}.${flip(proof, 5)}`,
    'a header with one letter turned': `${flip(header, 9)}.${payload}.${proof}`,
    'a signature that is cut': `${content}.${proof.slice(0, -2)}`,
    'a signature that continues': `${content}.${proof}AAAA`,
    'no signature': `${content}.`,
    'two parts': content,
    'four parts': `${good}.${proof}`,
    'parts that are swapped': `${payload}.${header}.${proof}`,
    'five parts, as an encrypted one has': `${encode({ alg: 'dir', enc: 'A256GCM' })}..${encode('iv')}.${payload}.${proof}`,
    'a token in JSON': JSON.stringify({ payload, signatures: [{ protected: header, signature: proof }] }),
    'a payload that is a list': sign([claims]),
    'a payload that is text': sign('"text"'),
    'a payload that is null': sign('null'),
    'a payload that is no JSON': sign('{"sub":'),
    'a header that is null': sign(claims, 'null'),
    'a payload of deep JSON': sign(`${'['.repeat(2000)}${']'.repeat(2000)}`),
    'no exp': sign({ sub: mine }),
    'exp null': sign({ sub: mine, exp: null }),
    'exp as text': sign({ sub: mine, exp: String(exp) }),
    'exp a list': sign({ sub: mine, exp: [exp] }),
    'exp just past': sign({ sub: mine, exp: now - 1 }),
    'exp zero': sign({ sub: mine, exp: 0 }),
    'exp negative': sign({ sub: mine, exp: -exp }),
    'exp beyond numbers': sign(`{"sub":"${mine}","exp":1e999}`),
    'nbf in the future': sign({ ...claims, nbf: now + 3600 }),
    'nbf as text': sign({ ...claims, nbf: 'soon' }),
    'iat as text': sign({ ...claims, iat: 'now' }),
    'no sub': sign({ exp }),
    'sub a number with a fraction': sign({ sub: Number(mine) + 0.5, exp }),
    'sub a list': sign({ sub: [mine], exp }),
    'sub an object': sign({ sub: { id: mine }, exp }),
    'sub zero': sign({ sub: '0', exp }),
    'sub negative': sign({ sub: `-${mine}`, exp }),
    'sub with a space': sign({ sub: ` ${mine}`, exp }),
    'sub with a zero before': sign({ sub: `0${mine}`, exp }),
    'sub with a fraction': sign({ sub: `${mine}.0`, exp }),
    'sub beyond the range': sign({ sub: String(2 ** 31), exp }),
    'sub in other digits': sign({ sub: '١', exp }),
    'sub with a line after it': sign({ sub: `${mine}\n`, exp }),
    'sub of nobody': sign({ sub: '2000000000', exp }),
    'sub as SQL': sign({ sub: `${mine} or 1=1`, exp }),
    'two subs, the last of nobody': sign(`{"sub":"${mine}","sub":"2000000000","exp":${exp}}`),
    'a name for a sub': sign({ sub: 'admin', exp }),
    'text around it': `x${good}x`,
    'very much text': 'a'.repeat(6000),
    dots: '..',
  };
}

describeLong('a forged token', () => {
  let server: TestServer;
  let mine: TestUser;
  let others: TestUser;
  let tokens: [name: string, token: string][];
  before(async () => {
    server = await TestServer.start({ SECRET_KEY: secretKey });
    mine = await server.user();
    others = await server.user('admin');
    tokens = Object.entries(forgeries(mine.token, String(mine.id), String(others.id)));
  });
  after(() => server?.[Symbol.asyncDispose]());

  it('is refused with any forged part', async () => {
    assert.equal((await server.get('/api/auth/me', mine.token)).status, 200);
    assert.equal((await server.get('/api/auth/me', sign({ sub: String(mine.id), exp }))).status, 200);
    for (const [name, token] of tokens) {
      const { status, code, body, headers } = await server.get('/api/auth/me', token);
      assert.deepEqual([status, code, body], [401, 'unauthorized', { detail: 'Could not validate credentials' }], name);
      assert.equal(headers.get('www-authenticate'), 'Bearer', name);
    }
  });

  it('opens no terminal', async () => {
    for (const [name, token] of tokens) {
      const { closed } = new TerminalClient(`${server.url}/ws/terminal/1?token=${encodeURIComponent(token)}`);
      assert.equal((await closed).code, 4401, name);
    }
  });

  it('is refused with an invalid scheme, spaces or repetition', async () => {
    const { token } = mine;
    for (const authorization of [
      `bearer${token}`,
      `Bearer ${token} x`,
      `Bearer ${token},${token}`,
      `Token ${token}`,
      `Bearer Bearer ${token}`,
      token,
    ]) {
      const { status } = await server.request('GET', '/api/auth/me', { headers: { authorization } });
      assert.equal(status, 401, authorization.slice(0, 20));
    }
  });

  it('is not read from a cookie, the query string or a body', async () => {
    const { token } = mine;
    const elsewhere = [
      await server.request('GET', '/api/auth/me', { headers: { cookie: `token=${token}; access_token=${token}` } }),
      await server.get(`/api/auth/me?token=${token}&access_token=${token}`),
      await server.post('/api/auth/refresh', undefined, { token, access_token: token }),
      await server.request('GET', '/api/auth/me', {
        headers: { 'x-access-token': token, 'proxy-authorization': `Bearer ${token}` },
      }),
    ];
    assert.deepEqual(
      elsewhere.map(({ status }) => status),
      [401, 401, 401, 401],
    );
  });
});
