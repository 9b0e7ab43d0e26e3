import assert from 'node:assert/strict';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { itLong } from '../rounds.ts';
import { TestServer } from '../server.ts';
import { until } from '../until.ts';
import { OwnDatabase } from './own-database.ts';
import { SmallDisk } from './small-disk.ts';

// Long: most of it prepares a small disk and fills it.
itLong(
  'a full disk of PostgreSQL refuses writes with 503 and allows reads; with free space everything continues',
  async (context) => {
    const disk = await SmallDisk.mount(160);
    if ('reason' in disk) return context.skip(disk.reason);
    await using _disk = disk;
    const dataDir = join(disk.folder, 'data');
    await mkdir(dataDir, { mode: 0o755 });
    const settings = { shared_buffers: '16MB', min_wal_size: '32MB', max_wal_size: '48MB' };
    await using database = await OwnDatabase.start({ dataDir, settings });
    const outside = { database: database.address, engine: { reason: 'none is needed here' } };
    await using server = await TestServer.start({}, outside, 1);
    const { token } = await server.user();
    const acknowledged: number[] = [];
    let count = 0;
    const register = async () => {
      count += 1;
      const username = `somebody${count}`;
      const account = { username, email: `${username}@example.com`, password: 'a password' };
      const answer = await server.post('/api/auth/register', undefined, account);
      if (answer.status === 200) acknowledged.push(answer.body.id);
      else assert.equal(answer.status, 503, answer.text);
      return answer;
    };
    const reads = async () => (await server.get('/api/dashboard/stats', token)).status;

    await disk.fill();
    let refused = await register();
    // Until a table needs more space.
    for (let tries = 0; refused.status === 200 && tries < 2000; tries += 1) refused = await register();
    assert.equal(refused.body.detail, 'The database has no room left; nothing was saved');
    assert.equal(refused.headers.get('retry-after'), '5');
    for (let round = 0; round < 20; round += 1) {
      assert.equal((await register()).status, 503);
      assert.equal(await reads(), 200);
    }
    await disk.free();
    assert.equal((await register()).status, 200);

    // There is no space for the write-ahead log either. Then PostgreSQL ends and cannot start.
    await disk.fill();
    const { db } = server.application;
    const grow = () => sql`select pg_switch_wal() from (select pg_logical_emit_message(true, 'grow', 'x')) as written`;
    await until(
      async () =>
        await grow()
          .execute(db)
          .then(
            () => false,
            () => true,
          ),
      'the end of PostgreSQL',
    );
    await until(async () => (await reads()) === 503, 'a 503');
    for (let round = 0; round < 5; round += 1) assert.deepEqual([(await register()).status, await reads()], [503, 503]);
    await disk.free();
    await until(async () => (await register()).status === 200, 'a registration').catch(async (cause: unknown) => {
      const log = await readFile(join(dataDir, 'postgres.log'), 'utf8').catch(String);
      throw new Error(`PostgreSQL does not continue. The end of its log:\n${log.slice(-10_000)}`, { cause });
    });
    assert.equal(await reads(), 200);

    const { rows } = await sql<{ id: number }>`select id from users where id = any(${acknowledged})`.execute(db);
    assert.equal(rows.length, acknowledged.length);
  },
);
