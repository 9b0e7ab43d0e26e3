import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { addressOf, createDatabase, createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { oneRowEach } from '../../test/rows-of-every-table.ts';
import { formerCounts } from './backup/snapshot.ts';
import { connectDatabase, type Database } from './connection/connect.ts';
import { migrate, migrationNames } from './migrate.ts';

const connect = (address: { connectionString: string }, maxConnections = 1) =>
  connectDatabase({ address, maxConnections, statementTimeout: 60_000, acquireTimeout: 10_000, onError: () => {} });

describe('the schema', () => {
  let database: TestDatabase;
  let client: pg.Client;
  before(async () => {
    database = await createTestDatabase();
    client = new pg.Client(database.address);
    await client.connect();
    await client.query(`
      insert into users (username, email, password_hash) values ('ada', 'ada@example.com', 'x'), ('bob', 'bob@example.com', 'x');
      insert into courses (name, slug) values ('Linux', 'linux');
      insert into sections (course_id, name, slug) values (1, 'First', 'first');
      insert into exams (title, container_image, time_limit_minutes, passing_score) values ('Basics', 'image', 60, 5), ('More', 'image', 60, 5);
      insert into laboratories (title, container_image, passing_score, section_id) values ('Lab', 'image', 5, 1), ('Loose', 'image', 5, null)`);
  });
  after(async () => {
    await client.end();
    await database[Symbol.asyncDispose]();
  });

  /** Runs statements and rolls them back. @returns the constraint that the last of them violated */
  async function violation(...statements: string[]): Promise<string | undefined> {
    await client.query('begin');
    try {
      for (const statement of statements) await client.query(statement);
      return undefined;
    } catch (error) {
      assert.ok(error instanceof pg.DatabaseError, String(error));
      assert.match(error.code ?? '', /^23/, error.message);
      return error.constraint ?? error.column;
    } finally {
      await client.query('rollback');
    }
  }

  const attempt = (values: Record<string, string> = {}): string => {
    const row = {
      kind: `'exam'`, exam_id: '1', laboratory_id: 'null', user_id: '1', title: `'Basics'`, container_name: 'gen_random_uuid()',
      status: `'in_progress'`, expires_at: 'now()', submitted_at: 'null', score: 'null', passed: 'null', max_score: '10', passing_score: '5',
      ...values,
    }; // biome-ignore format: one row
    return `insert into attempts (${Object.keys(row)}) values (${Object.values(row)})`;
  };
  const laboratory = { kind: `'laboratory'`, exam_id: 'null', laboratory_id: '1', expires_at: 'null' };
  const finished = { status: `'finished'`, submitted_at: 'now()', score: '7', passed: 'true' };
  const container = (values: Record<string, string> = {}): string => {
    const row = {
      name: 'gen_random_uuid()',
      user_id: '1',
      kind: `'sandbox'`,
      image: `'image'`,
      status: `'creating'`,
      ...values,
    };
    return `insert into containers (${Object.keys(row)}) values (${Object.values(row)})`;
  };
  const ofAttempt = (status = `'creating'`): string =>
    container({ kind: `'exam'`, status, attempt_id: '(select max(id) from attempts)' });
  const user = (username: string, email: string, more = '') =>
    `insert into users (username, email, password_hash${more && ', role'}) values ('${username}', '${email}', 'x'${more && `, '${more}'`})`;
  const result = (points_earned: number, passed: boolean, task_id = 1) =>
    `insert into task_results (attempt_id, task_id, title, order_index, points, points_earned, passed, output)
      select max(id), ${task_id}, 't', 0, 5, ${points_earned}, ${passed}, '' from attempts`;

  const refused: [string, string[], string][] = [
    ['a username that differs in case only', [user('ADA', 'new@example.com')], 'users_username'],
    ['an e-mail address that differs in case only', [user('new', 'Ada@Example.com')], 'users_email'],
    ['a role that there is not', [user('new', 'new@example.com', 'root')], 'users_role_check'],
    ['a second active exam attempt', [attempt(), attempt({ exam_id: '2' })], 'attempts_one_active_exam'],
    ['a second one while the first is graded', [attempt({ status: `'grading'` }), attempt({ status: `'starting'` })], 'attempts_one_active_exam'],
    ['a second one while the first is queued', [attempt({ status: `'queued'`, asked_at: 'now()' }), attempt()], 'attempts_one_active_exam'],
    ['a queued attempt that nobody asks for', [attempt({ status: `'queued'` })], 'attempts_queued_check'],
    ['two containers of one attempt', [attempt(), ofAttempt(), ofAttempt()], 'containers_attempt'],
    ['a second active attempt of one laboratory', [attempt(laboratory), attempt(laboratory)], 'attempts_one_active_laboratory'],
    ['two attempts with one container name', [attempt({ container_name: `'c'` }), attempt({ container_name: `'c'`, user_id: '2' })], 'attempts_container_name_key'],
    ['an exam attempt without an end', [attempt({ expires_at: 'null' })], 'attempts_check1'],
    ['an exam attempt of a laboratory', [attempt({ laboratory_id: '1' })], 'attempts_check'],
    ['a finished attempt without a score', [attempt({ ...finished, score: 'null' })], 'attempts_check2'],
    ['a running attempt with a score', [attempt({ score: '1', passed: 'false' })], 'attempts_check2'],
    ['a finished attempt that nobody submitted', [attempt({ ...finished, submitted_at: 'null' })], 'attempts_check3'],
    ['more points than there are', [attempt({ ...finished, score: '11' })], 'attempts_check4'],
    ['an attempt of nobody', [attempt({ user_id: 'null' })], 'user_id'],
    ['points for a task that failed', [attempt(finished), result(5, false)], 'task_results_check'],
    ['two results of one task', [attempt(finished), result(5, true), result(0, false)], 'task_results_pkey'],
    ['a container without an owner', [container({ user_id: 'null' })], 'containers_check'],
    ['a running container that no engine knows', [container({ status: `'running'` })], 'containers_check1'],
    ['two containers of one name', [container({ name: `'c'` }), container({ name: `'c'` })], 'containers_name_key'],
    ['two sandboxes in one slot', [container({ slot: '1' }), container({ slot: '1' })], 'containers_sandbox_slot'],
    ['two active laboratories of one section', ['update laboratories set section_id = 1'], 'laboratories_section'],
    ['a slug of other characters', [`insert into courses (name, slug) values ('x', 'Linux_1')`], 'courses_slug_check'],
    ['a completion without its time', ['insert into theme_progress values (1, 1, true, null)'], 'theme_progress_check'],
    ['a second installation', ['insert into installation default values'], 'installation_pkey'],
  ]; // biome-ignore format: a table
  for (const [what, statements, constraint] of refused) {
    it(`refuses ${what}`, async () => assert.equal(await violation(...statements), constraint));
  }

  const allowed: [string, string[]][] = [
    ['the next exam attempt after a finished one', [attempt(finished), attempt()]],
    ['exam attempts of two users', [attempt(), attempt({ user_id: '2' })]],
    ['attempts of two laboratories and an exam', [attempt(laboratory), attempt({ ...laboratory, laboratory_id: '2' }), attempt()]],
    ['a warm container of nobody', [container({ user_id: 'null', status: `'warm'`, engine_ref: `'ref'` })]],
    ['a sandbox in the slot of one that goes', [container({ slot: '1', status: `'removing'` }), container({ slot: '1' })]],
    ['a container of an attempt whose other one goes', [attempt(), ofAttempt(`'removing'`), ofAttempt()]],
    ['a laboratory for a section whose other one is inactive', ['update laboratories set is_active = false where id = 1', 'update laboratories set section_id = 1']],
    ['history that outlives its exam', [attempt(finished), result(5, true), 'delete from exams']],
    ['deleting a user with everything personal', [attempt(), container(), 'delete from attempts', 'delete from containers', 'delete from users']],
  ]; // biome-ignore format: a table
  for (const [what, statements] of allowed) {
    it(`allows ${what}`, async () => assert.equal(await violation(...statements), undefined));
  }

  it('is created once by five processes that start together', async () => {
    const name = `test_migrate_${randomBytes(6).toString('hex')}`;
    await createDatabase(name);
    const connections = Array.from({ length: 5 }, () => connect(addressOf(name)));
    try {
      const applied = await Promise.all(connections.map(({ db }) => migrate(db)));
      assert.equal(applied.flat()[0], '0100-baseline');
      assert.equal(new Set(applied.flat()).size, applied.flat().length);
      const [first] = connections;
      assert.ok(first);
      assert.deepEqual(await migrate(first.db), []);
      assert.equal((await first.pool.query('select * from installation')).rowCount, 1);
    } finally {
      await Promise.all(connections.map(({ db }) => db.destroy()));
      await client.query(`drop database ${name} with (force)`);
    }
  });

  it('leaves the database unchanged when a migration fails', async () => {
    const name = `test_migrate_${randomBytes(6).toString('hex')}`;
    await createDatabase(name);
    const { db, pool } = connect(addressOf(name));
    try {
      await pool.query('create table containers (id integer)');
      await assert.rejects(migrate(db), /"containers" already exists/);
      const { rows } = await pool.query(
        `select tablename from pg_tables where schemaname = 'public' and tablename not like 'kysely%'`,
      );
      assert.deepEqual(rows, [{ tablename: 'containers' }]);
      await pool.query('drop table containers');
      assert.equal((await migrate(db))[0], '0100-baseline');
    } finally {
      await db.destroy();
      await client.query(`drop database ${name} with (force)`);
    }
  });

  /** Every row of every table, the columns in their order by name. */
  async function contentOf(db: Database): Promise<Map<string, Record<string, unknown>[]>> {
    const tables = await sql<{ name: string }>`
      select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'kysely%'`.execute(db);
    const content = new Map<string, Record<string, unknown>[]>();
    for (const { name } of tables.rows) {
      const { rows } = await sql<{ row: Record<string, unknown> }>`
        select to_jsonb(t) as row from ${sql.table(name)} t order by to_jsonb(t)::text`.execute(db);
      content.set(
        name,
        rows.map(({ row }) => row),
      );
    }
    return content;
  }

  const keyOf = (row: Record<string, unknown>): string => JSON.stringify(row['id'] ?? row);

  /** The migrations before the baseline, in a database that has their schema. */
  async function beforeBaseline(db: Database, ...names: string[]): Promise<void> {
    await sql`delete from kysely_migration`.execute(db);
    await sql`insert into kysely_migration select unnest(${names}::text[]), '2026-11-26T12:00:00.000Z'`.execute(db);
  }

  it('keeps every row during an upgrade of release 0.2.0', async () => {
    const name = `test_migrate_${randomBytes(6).toString('hex')}`;
    await createDatabase(name);
    const { db, pool } = connect(addressOf(name));
    try {
      await migrate(db, migrationNames[0]);
      await pool.query(`insert into users (username, email, password_hash) values ('ada', 'ada@example.com', 'x')`);
      await oneRowEach(db, 1);
      const before = await contentOf(db);
      await beforeBaseline(db, '0001-initial', '0063-ended-attempts');
      await migrate(db);
      assert.deepEqual(
        (await pool.query('select name from kysely_migration order by name')).rows.map(({ name }) => name),
        migrationNames,
      );
      const after = await contentOf(db);
      for (const [table, rows] of before) {
        const expected = formerCounts.includes(table) ? undefined : rows.map(keyOf).sort();
        assert.deepEqual(after.get(table)?.map(keyOf).sort(), expected, table);
      }
      // Nothing refers to what is gone.
      await pool.query(`insert into users (username, email, password_hash) values ('bob', 'bob@example.com', 'x')`);
      await pool.query(`update attempts set status = 'abandoned', asked_at = null where status = 'queued'`);
      await pool.query('delete from attempts');
      await pool.query(`delete from users where username = 'bob'`);
    } finally {
      await db.destroy();
      await client.query(`drop database ${name} with (force)`);
    }
  });

  it('refuses a database of a release before 0.2.0 and reports the solution', async () => {
    const name = `test_migrate_${randomBytes(6).toString('hex')}`;
    await createDatabase(name);
    const { db } = connect(addressOf(name));
    try {
      await migrate(db, migrationNames[0]);
      await beforeBaseline(db, '0001-initial', '0048-students-of-rooms');
      await assert.rejects(migrate(db), /before 0\.2\.0: start commit [0-9a-f]{8} .* then this release/);
    } finally {
      await db.destroy();
      await client.query(`drop database ${name} with (force)`);
    }
  });

  it('refuses a database of a newer release and reports the solution', async () => {
    const name = `test_migrate_${randomBytes(6).toString('hex')}`;
    await createDatabase(name);
    const { db, pool } = connect(addressOf(name));
    try {
      await migrate(db);
      await pool.query(`insert into kysely_migration values ('9999-of-later', '2027-01-01T00:00:00.000Z')`);
      await assert.rejects(migrate(db), /migrated by a newer release \(it has 9999-of-later, .*start that release/);
    } finally {
      await db.destroy();
      await client.query(`drop database ${name} with (force)`);
    }
  });
});
