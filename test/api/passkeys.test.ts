import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { type Answer, TestServer, type TestUser } from '../server.ts';

const place = 'school.example.com';
const origin = `https://${place}`;
const hash = (data: Buffer | string) => createHash('sha256').update(data).digest();

/** What an authenticator or a browser does wrong. */
type Wrong = { challenge?: string; origin?: string; rpId?: string; flags?: number; type?: string; userHandle?: string };

/** CBOR of the little that an authenticator says. */
const head = (major: number, size: number): Buffer =>
  size < 24
    ? Buffer.from([(major << 5) | size])
    : size < 256
      ? Buffer.from([(major << 5) | 24, size])
      : Buffer.from([(major << 5) | 25, size >> 8, size & 255]);
const cbor = (value: number | string | Buffer | Map<number | string, unknown> | unknown[]): Buffer => {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map((one) => cbor(one as string))]);
  const entries = [...value].flatMap(([key, one]) => [cbor(key), cbor(one as string)]);
  return Buffer.concat([head(5, value.size), ...entries]);
};

/** An authenticator in software, with one key. */
class Authenticator {
  readonly id = randomBytes(20);
  readonly #key: KeyObject;
  readonly #public: Buffer;
  counter = 0;
  handle = '';

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#key = privateKey;
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    const [left, right] = [Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')];
    this.#public = cbor(
      new Map<number, unknown>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, left],
        [-3, right],
      ]),
    );
  }

  #client(type: string, challenge: string, wrong: Wrong): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false, ...wrong, rpId: undefined }));
  }

  #data({ rpId = place, flags = 0x05 }: Wrong, more = Buffer.alloc(0)): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    return Buffer.concat([hash(rpId), Buffer.from([flags | (more.length > 0 ? 0x40 : 0)]), counter, more]);
  }

  /** @param certificate of an attestation */
  create({ challenge, user }: { challenge: string; user: { id: string } }, wrong: Wrong = {}, certificate?: Buffer) {
    this.handle = user.id;
    const id = this.id.toString('base64url');
    const length = Buffer.from([0, this.id.length]);
    const authData = this.#data(wrong, Buffer.concat([Buffer.alloc(16), length, this.id, this.#public]));
    const statement = certificate
      ? new Map<string, unknown>([
          ['alg', -7],
          ['sig', Buffer.from('x')],
          ['x5c', [certificate]],
        ])
      : new Map();
    const attestation = cbor(
      new Map<string, unknown>([
        ['fmt', certificate ? 'packed' : 'none'],
        ['attStmt', statement],
        ['authData', authData],
      ]),
    );
    const clientDataJSON = this.#client('webauthn.create', challenge, wrong).toString('base64url');
    const response = { clientDataJSON, attestationObject: attestation.toString('base64url'), transports: ['usb'] };
    return { id, rawId: id, type: 'public-key', response };
  }

  get({ challenge }: { challenge: string }, wrong: Wrong = {}) {
    const id = this.id.toString('base64url');
    const data = this.#data(wrong);
    const client = this.#client('webauthn.get', challenge, wrong);
    const signature = sign('sha256', Buffer.concat([data, hash(client)]), this.#key).toString('base64url');
    const [clientDataJSON, authenticatorData] = [client.toString('base64url'), data.toString('base64url')];
    const response = { clientDataJSON, authenticatorData, signature, userHandle: wrong.userHandle ?? this.handle };
    return { id, rawId: id, type: 'public-key', response };
  }
}

describe('passkeys', () => {
  let server: TestServer;
  let admin: TestUser;
  before(async () => {
    server = await TestServer.start({ PUBLIC_URL: origin }, { engine: { reason: 'this test has none' } });
    admin = await server.user('admin');
  });
  after(() => server?.[Symbol.asyncDispose]());

  const is = ({ status, code, text }: Answer, expected: [number, string?]) =>
    assert.deepEqual([status, code], [expected[0], expected[1] ?? null], text);
  const optionsFor = async (user: TestUser) => (await server.post('/api/auth/passkeys/options', user.token)).body;
  const add = (user: TestUser, credential: object, name = 'Key') =>
    server.post('/api/auth/passkeys', user.token, { name, credential });
  const logIn = (credential: object) => server.post('/api/auth/passkeys/login', undefined, { credential });
  const loginOptions = async () => (await server.post('/api/auth/passkeys/login/options')).body;
  const passwordLogin = ({ username, password }: TestUser, code?: string) =>
    server.post('/api/auth/login', undefined, { username, password, ...(code === undefined ? {} : { code }) });
  /** A user with a passkey. */
  const owner = async () => {
    const [user, key] = [await server.user(), new Authenticator()];
    const added = await add(user, key.create(await optionsFor(user)));
    is(added, [201]);
    return { user, key, added: added.body };
  };

  it('log in without a password, and are a second factor with recovery codes', async () => {
    const { user, key, added } = await owner();
    assert.equal(added.recovery_codes.length, 10);
    const { body: options } = await server.post('/api/auth/passkeys/login/options');
    assert.equal(options.userVerification, 'required');
    const entered = await logIn(key.get(options));
    is(entered, [200]);
    assert.equal(entered.body.user.id, user.id);
    is(await server.get('/api/auth/me', entered.body.access_token), [200]);
    assert.equal((await server.get('/api/auth/sessions', entered.body.access_token)).body.length, 2);
    const refused = await passwordLogin(user);
    is(refused, [401, 'second_factor_required']);
    assert.equal(refused.headers.get('error-reason'), 'passkey', 'it has no app');
    is(await passwordLogin(user, added.recovery_codes[0]), [200]);
    is(await passwordLogin(user, added.recovery_codes[0]), [401, 'wrong_second_factor']);
    const second = await add(user, new Authenticator().create(await optionsFor(user)), ' Phone ');
    assert.deepEqual([second.body.name, second.body.recovery_codes], ['Phone', []]);
    const [first] = (await server.get('/api/auth/passkeys', user.token)).body;
    assert.deepEqual(Object.keys(first).sort(), ['created_at', 'id', 'last_used_at', 'name']);
    assert.ok(first.last_used_at);
    const log = server.application.db.selectFrom('activity_log').select('type').where('user_id', '=', user.id);
    assert.ok((await log.execute()).some(({ type }) => type === 'passkey_add'));
  });

  it('are listed by authenticators under the name that the installation has now', async () => {
    const [admin, user] = [await server.user('admin'), await server.user()];
    for (const name of ['Haus der Technik', null]) {
      await server.request('PUT', '/api/admin/site', { token: admin.token, json: { name } });
      assert.equal((await optionsFor(user)).rp.name, name ?? 'Learning platform');
    }
  });

  it('are added only with an answer for their user, address and challenge', async () => {
    const [user, other] = [await server.user(), await server.user()];
    const options = await optionsFor(user);
    assert.deepEqual(options.excludeCredentials, []);
    const refused = [400, 'invalid_passkey'] as [number, string];
    for (const wrong of [
      { challenge: (await optionsFor(other)).challenge },
      { challenge: (await loginOptions()).challenge },
      { challenge: Buffer.from('made.up.challenge').toString('base64url') },
      { origin: 'https://school.example.org' },
      { rpId: 'example.com' },
      { flags: 0x01 },
      { type: 'webauthn.get' },
    ])
      is(await add(user, new Authenticator().create(options, wrong)), refused);
    // Certificates name addresses, which the library would request.
    is(await add(user, new Authenticator().create(options, {}, Buffer.from('x'))), refused);
    is(await add(user, { ...new Authenticator().create(options), type: 'password' }), [422, 'validation']);
    const key = new Authenticator();
    is(await add(user, key.create(options)), [201]);
    is(await add(user, new Authenticator().create(options)), refused);
    is(await add(other, key.create(await optionsFor(other))), [409, 'passkey_refused']);
  });

  it('refuse forged, old and repeated logins', async () => {
    const { user, key } = await owner();
    const other = await owner();
    const refused = [401, 'wrong_passkey'] as [number, string];
    const options = await loginOptions();
    for (const wrong of [
      { challenge: (await optionsFor(user)).challenge },
      { challenge: 'AAAA' },
      { origin: 'http://school.example.com' },
      { rpId: 'example.com' },
      { flags: 0x01 },
      { type: 'webauthn.create' },
      { userHandle: other.key.handle },
    ])
      is(await logIn(key.get(options, wrong)), refused);
    const stranger = Object.assign(new Authenticator(), { handle: key.handle });
    is(await logIn(stranger.get(options)), refused);
    // The signature of another key.
    is(await logIn({ ...other.key.get(options), id: key.get(options).id, rawId: key.get(options).id }), refused);
    const answer = key.get(options);
    const answers = await Promise.all([logIn(answer), logIn(answer), logIn(answer)]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401, 401]);
    is(await logIn(answer), refused);
    key.counter = 7;
    is(await logIn(key.get(await loginOptions())), [200]);
    for (key.counter of [7, 6, 0]) is(await logIn(key.get(await loginOptions())), refused);
    key.counter = 8;
    await sql`update users set is_active = false where id = ${user.id}`.execute(server.application.db);
    is(await logIn(key.get(await loginOptions())), [401, 'unauthorized']);
  });

  it('refuse a challenge after five minutes', async (t) => {
    const { key } = await owner();
    const options = await loginOptions();
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 301_000 });
    const answer = await logIn(key.get(options));
    t.mock.timers.reset();
    is(answer, [401, 'wrong_passkey']);
  });

  it('are changed only soon after a login, and reset by administrators', async () => {
    const { user, key, added } = await owner();
    const path = `/api/auth/passkeys/${added.id}`;
    const stranger = await server.user();
    is(await server.delete(path, stranger.token), [404, 'not_found']);
    await sql`update logins set created_at = now() - interval '16 minutes' where user_id = ${user.id}`.execute(
      server.application.db,
    );
    await server.post('/api/auth/refresh', user.token);
    const old = [403, 'login_not_recent'] as [number, string];
    is(await server.delete(path, user.token), old);
    is(await server.delete('/api/auth/totp', user.token), old);
    is(await server.post('/api/auth/passkeys/options', user.token), old);
    is(await add(user, new Authenticator().create({ challenge: 'x', user: { id: 'x' } })), old);
    const { access_token: fresh } = (await logIn(key.get(await loginOptions()))).body;
    is(await server.delete('/api/auth/totp', fresh), [200]);
    is(await passwordLogin(user), [401, 'second_factor_required']);
    is(await server.delete(path, fresh), [200]);
    is(await passwordLogin(user), [200]);
    assert.equal((await server.get('/api/auth/totp', user.token)).body.recovery_codes_left, 0);
    const lost = await owner();
    is(await server.delete(`/api/admin/users/${lost.user.id}/totp`, admin.token), [200]);
    is(await passwordLogin(lost.user), [200]);
    is(await logIn(lost.key.get(await loginOptions())), [401, 'wrong_passkey']);
  });

  it('satisfy a role that requires a second factor', async () => {
    const teacher = await server.user('instructor');
    await server.put('/api/admin/site', admin.token, { second_factor_roles: ['instructor'] });
    is(await server.get('/api/classes', teacher.token), [403, 'second_factor_missing']);
    is(await add(teacher, new Authenticator().create(await optionsFor(teacher))), [201]);
    is(await server.get('/api/classes', teacher.token), [200]);
    await server.put('/api/admin/site', admin.token, { second_factor_roles: [] });
  });

  it('are limited to 20 for each user', async () => {
    const { user } = await owner();
    await sql`insert into passkeys (user_id, credential, public_key, counter, transports, name)
      select ${user.id}, 'filled' || n, '\\x00', 0, '{}', 'Key' from generate_series(1, 19) as n`.execute(
      server.application.db,
    );
    is(await add(user, new Authenticator().create(await optionsFor(user))), [409, 'passkey_refused']);
  });
});
