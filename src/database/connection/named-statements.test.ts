import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { createTestDatabase } from '../../../test/database.ts';
import { connectDatabase } from './connect.ts';
import { NamedStatements } from './named-statements.ts';

const open = (address: { connectionString: string }) =>
  connectDatabase({ address, maxConnections: 1, statementTimeout: 10_000, acquireTimeout: 5000, onError: () => {} });

describe('named statements', () => {
  it('are those that repeat, whose plan does not depend on their values, up to a number', () => {
    const statements = new NamedStatements();
    const names = (text: string) => Array.from({ length: 5 }, () => statements.nameOf(text));
    assert.deepEqual(names('select $1'), [undefined, undefined, undefined, 's0', 's0']);
    assert.deepEqual(new Set(names('select a from b where c like $1')), new Set([undefined]));
    assert.deepEqual(new Set(names('select a from b limit $1')), new Set([undefined]));
    assert.deepEqual(new Set(names('create table a (b int)')), new Set([undefined]));
    for (let count = 0; count < 400; count += 1) names(`select ${count}, $1`);
    assert.equal(names('select 298, $1').at(-1), 's299');
    assert.equal(names('select 399, $1').at(-1), undefined);
  });

  it('are prepared once a connection, and again after a migration has changed their table', async () => {
    await using database = await createTestDatabase();
    const { db } = open(database.address);
    const other = open(database.address);
    const read = () => db.selectFrom('users').selectAll().where('id', '=', 1).execute();
    for (let count = 0; count < 6; count += 1) await read();
    const prepared = sql<{ statement: string }>`select statement from pg_prepared_statements`;
    const texts = (await prepared.execute(db)).rows.map(({ statement }) => statement);
    assert.equal(texts.filter((text) => text.includes('"users"')).length, 1);
    await sql`alter table users add column more int`.execute(other.db);
    // One request of each connection fails; the next one has a connection with fresh plans.
    await assert.rejects(read(), /cached plan must not change/);
    assert.deepEqual(await read(), []);
    await Promise.all([db.destroy(), other.db.destroy()]);
  });
});
