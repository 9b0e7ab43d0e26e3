import assert from 'node:assert/strict';
import { it } from 'node:test';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from './database.ts';

async function rows({ address }: TestDatabase, sql: string): Promise<unknown[]> {
  const client = new pg.Client(address);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

it('creates a migrated database for each caller, and drops it', async () => {
  await using first = await createTestDatabase();
  const insert = `INSERT INTO users (username, email, password_hash) VALUES ('ada', 'ada@example.com', 'x') RETURNING id`;
  assert.equal((await rows(first, insert)).length, 1);
  let dropped = '';
  {
    await using second = await createTestDatabase();
    assert.deepEqual(await rows(second, 'SELECT id FROM users'), []);
    const open = new pg.Client(second.address);
    open.on('error', () => {});
    await open.connect();
    dropped = open.database ?? '';
  }
  assert.match(dropped, /^test_/);
  assert.deepEqual(await rows(first, `SELECT datname FROM pg_database WHERE datname = '${dropped}'`), []);
});
