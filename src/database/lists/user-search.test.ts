import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts';
import { connectDatabase } from '../connection/connect.ts';
import { usersMatching } from './user-search.ts';

describe('the users whom a text matches', () => {
  let database: TestDatabase;
  let connection: ReturnType<typeof connectDatabase>;
  before(async () => {
    database = await createTestDatabase();
    connection = connectDatabase({
      address: database.address,
      maxConnections: 1,
      statementTimeout: 15_000,
      acquireTimeout: 5000,
      onError: () => {},
    });
    const { db } = connection;
    await sql`insert into users (username, email, password_hash)
      select 'pupil' || n, 'pupil' || n || '@school.org', 'x' from generate_series(1, 2000) n`.execute(db);
    await sql`vacuum analyze users`.execute(db);
    // Computed from now on only where a search reads more than the index.
    await sql`create or replace function short_substrings(value text) returns text[] language plpgsql immutable strict
      as $$ begin raise 'substrings were computed'; end $$`.execute(db);
  });
  after(async () => {
    await connection.db.destroy();
    await database[Symbol.asyncDispose]();
  });

  for (const [text, found] of [
    ['p', undefined],
    ['pu', undefined],
    ['@s', undefined],
    ['pupil', undefined],
    ['77', 38],
    ['zq', 0],
    ['pupil77@', 1],
  ] as const)
    it(`are found for ${text} without computing their substrings`, async () => {
      assert.equal((await usersMatching(connection.db, text, 1000))?.length, found);
    });
});
