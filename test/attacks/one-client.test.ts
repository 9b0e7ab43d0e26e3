import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { sql } from 'kysely';
import { connectDatabase, type Database } from '../../src/database/connection/connect.ts';
import { lockWaits } from '../lock-waits.ts';
import { makeAssessment } from '../made-assessment.ts';
import { describeLong } from '../rounds.ts';
import { engineSkip, TestServer, type TestUser } from '../server.ts';
import { until } from '../until.ts';

const connections = 6;
/** More than the connections of the service. */
const requests = 60;

describeLong('one student who creates containers', { skip: engineSkip }, () => {
  it('gets them one after another, and others are not delayed', async () => {
    await using server = await TestServer.start({ CONTAINER_STARTS: '2' }, {}, 1);
    await server.application.db
      .insertInto('sandbox_templates')
      .values({ name: 'Shell', slug: 'shell', image: 'platform-sandbox', memory_mb: 64, cpus: 1 })
      .execute();
    const [student, other] = [await server.user(), await server.user()];
    const { engine } = server.application;
    const create = engine.create.bind(engine);
    const begun: string[] = [];
    const mayContinue = Promise.withResolvers<void>();
    engine.create = async (spec) => {
      begun.push(spec.name.slice(server.config.engine.namePrefix.length));
      await mayContinue.promise;
      return await create(spec);
    };
    const create3 = [1, 2, 3].map(() => server.post('/api/containers/create', student.token));
    await until(() => begun.length === 1, 'the first creation');
    const created = server.post('/api/containers/create', other.token);
    await until(() => begun.length === 2, 'the creation of another user');
    assert.deepEqual(begun, [`user-${student.id}-sandbox`, `user-${other.id}-sandbox`]);
    mayContinue.resolve();
    const answers = await Promise.all([...create3, created]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 201, 201, 201],
    );
  });
});

describeLong('one client whose requests wait for a lock', { skip: engineSkip }, () => {
  let server: TestServer;
  let attacker: TestUser;
  let other: TestUser;
  let laboratory: number;
  let outside: ReturnType<typeof connectDatabase>;
  before(async () => {
    const env = { DATABASE_CONNECTIONS: `${connections}`, TRUST_PROXY: 'true' };
    server = await TestServer.start(env, {}, 1);
    [attacker, other] = [await server.user(), await server.user()];
    laboratory = await makeAssessment(server, await server.user('admin'), 'laboratory', ['echo PASS']);
    const options = { maxConnections: 2, statementTimeout: 60_000, acquireTimeout: 10_000, onError: () => undefined };
    outside = connectDatabase({ address: server.database, ...options });
  });
  after(async () => {
    await outside?.db.destroy();
    await server?.[Symbol.asyncDispose]();
  });

  const from = (address: string, login: TestUser, password = login.password) => {
    const headers = { 'x-forwarded-for': address };
    return server.request('POST', '/api/auth/login', { headers, json: { username: login.username, password } });
  };
  const lockUser = (trx: Database) => trx.selectFrom('users').select('id').where('id', '=', attacker.id).forUpdate();
  const attacks = {
    'that of the own account': {
      lock: (trx: Database) => lockUser(trx).execute(),
      send: () => server.put('/api/profile/me', attacker.token, { full_name: 'A name' }),
    },
    'that of the own account, at starts of a laboratory': {
      lock: (trx: Database) => lockUser(trx).execute(),
      send: () => server.post(`/api/laboratories/${laboratory}/start`, attacker.token),
    },
    'that of the failures of a network': {
      lock: (trx: Database) => trx.selectFrom('login_throttles').select('key').forUpdate().execute(),
      send: () => from('192.0.2.7', attacker, 'wrong'),
    },
  };

  for (const [name, { lock, send }] of Object.entries(attacks))
    it(`does not keep others from the database: ${name}`, async () => {
      await from('192.0.2.7', attacker, 'wrong');
      const answers: Promise<unknown>[] = [];
      await outside.db.transaction().execute(async (trx) => {
        await lock(trx);
        for (let index = 0; index < requests; index += 1) answers.push(send());
        await until(async () => (await lockWaits(outside.db)) > 0, 'a statement that waits for the lock');
        // As many as the service has connections, so that each would be needed.
        for (let index = 0; index < connections; index += 1) {
          assert.equal((await server.put('/api/profile/me', other.token, { full_name: `${index}` })).status, 200);
          assert.equal((await from('198.51.100.3', other)).status, 200);
        }
        assert.ok((await lockWaits(outside.db)) < connections / 2, 'most connections are left to others');
        await sql`select 1`.execute(trx);
      });
      await Promise.all(answers);
      await server.application.db.deleteFrom('login_throttles').execute();
    });
});
