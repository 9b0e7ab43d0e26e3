import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import pg from 'pg';
import { addressOf, createDatabase, createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { oneRowEachOfBaseline } from '../../test/rows-of-every-table.ts';
import { loadConfig } from '../config.ts';
import { formerCounts } from './backup/snapshot.ts';
import { connectDatabase, type Database } from './connection/connect.ts';
import { restoreDeleted } from './deletions/restore.ts';
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
      insert into assessments (kind, title, container_image, time_limit_minutes, passing_score, section_id) values
        ('exam', 'Basics', 'image', 60, 5, null), ('exam', 'More', 'image', 60, 5, null),
        ('laboratory', 'Lab', 'image', null, 5, 1), ('laboratory', 'Loose', 'image', null, 5, null)`);
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
      kind: `'exam'`, assessment_id: '1', user_id: '1', title: `'Basics'`, container_name: 'gen_random_uuid()',
      status: `'in_progress'`, expires_at: 'now()', submitted_at: 'null', score: 'null', passed: 'null', max_score: '10', passing_score: '5',
      ...values,
    }; // biome-ignore format: one row
    return `insert into attempts (${Object.keys(row)}) values (${Object.values(row)})`;
  };
  const laboratory = { kind: `'laboratory'`, assessment_id: '3', expires_at: 'null' };
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
    ['a second active exam attempt', [attempt(), attempt({ assessment_id: '2' })], 'attempts_one_active_exam'],
    ['a second one while the first is graded', [attempt({ status: `'grading'` }), attempt({ status: `'starting'` })], 'attempts_one_active_exam'],
    ['a second one while the first is queued', [attempt({ status: `'queued'`, asked_at: 'now()' }), attempt()], 'attempts_one_active_exam'],
    ['a queued attempt that nobody asks for', [attempt({ status: `'queued'` })], 'attempts_queued_check'],
    ['two containers of one attempt', [attempt(), ofAttempt(), ofAttempt()], 'containers_attempt'],
    ['a second active attempt of one laboratory', [attempt(laboratory), attempt(laboratory)], 'attempts_one_active_laboratory'],
    ['two attempts with one container name', [attempt({ container_name: `'c'` }), attempt({ container_name: `'c'`, user_id: '2' })], 'attempts_container_name_key'],
    ['an exam attempt without an end', [attempt({ expires_at: 'null' })], 'attempts_check1'],
    ['an exam attempt of a laboratory', [attempt({ assessment_id: '3' })], 'attempts_kind_assessment_id_fkey'],
    ['an exam without a time limit', [`update assessments set time_limit_minutes = null where kind = 'exam'`], 'assessments_of_kind'],
    ['a laboratory in a course', [`update assessments set course_id = 1 where kind = 'laboratory'`], 'assessments_of_kind'],
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
    ['two active laboratories of one section', [`update assessments set section_id = 1 where kind = 'laboratory'`], 'assessments_section'],
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
    ['attempts of two laboratories and an exam', [attempt(laboratory), attempt({ ...laboratory, assessment_id: '4' }), attempt()]],
    ['a warm container of nobody', [container({ user_id: 'null', status: `'warm'`, engine_ref: `'ref'` })]],
    ['a sandbox in the slot of one that goes', [container({ slot: '1', status: `'removing'` }), container({ slot: '1' })]],
    ['a container of an attempt whose other one goes', [attempt(), ofAttempt(`'removing'`), ofAttempt()]],
    ['a laboratory for a section whose other one is inactive', ['update assessments set is_active = false where id = 3', `update assessments set section_id = 1 where kind = 'laboratory'`]],
    ['history that outlives its exam', [attempt(finished), result(5, true), 'delete from assessments']],
    ['deleting a user with everything personal', [attempt(), container(), 'delete from attempts', 'delete from containers', 'delete from users']],
  ]; // biome-ignore format: a table
  for (const [what, statements] of allowed) {
    it(`allows ${what}`, async () => assert.equal(await violation(...statements), undefined));
  }

  /** A database without a schema. */
  async function emptyDatabase() {
    const name = `test_migrate_${randomBytes(6).toString('hex')}`;
    await createDatabase(name);
    const { db, pool } = connect(addressOf(name));
    const drop = async () => {
      await db.destroy();
      await client.query(`drop database ${name} with (force)`);
    };
    return { db, pool, [Symbol.asyncDispose]: drop };
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
    await using own = await emptyDatabase();
    const { db, pool } = own;
    await pool.query('create table containers (id integer)');
    await assert.rejects(migrate(db), /"containers" already exists/);
    const { rows } = await pool.query(
      `select tablename from pg_tables where schemaname = 'public' and tablename not like 'kysely%'`,
    );
    assert.deepEqual(rows, [{ tablename: 'containers' }]);
    await pool.query('drop table containers');
    assert.equal((await migrate(db))[0], '0100-baseline');
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

  /** The migration from the tables of release 0.2.0 to one of exams and laboratories. Later ones add to these. */
  const oneTable = '0102-assessments';

  type Row = Record<string, unknown>;
  const inOrder = (rows: readonly Row[]): string[] =>
    rows.map((row) => JSON.stringify(Object.entries(row).sort(([one], [other]) => (one < other ? -1 : 1)))).sort();

  const ofKind = ({ exam_id, laboratory_id, ...row }: Row): Row => ({
    ...row,
    kind: row['kind'] ?? (exam_id === null || exam_id === undefined ? 'laboratory' : 'exam'),
    assessment_id: exam_id ?? laboratory_id ?? null,
  });
  const lessOf = (row: Row, ...names: string[]): Row =>
    Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));
  /** What became of the rows of a table of release 0.2.0. */
  const moves: Record<string, { table?: string; row: (row: Row) => Row }> = {
    exams: { table: 'assessments', row: (row) => ({ ...row, kind: 'exam', section_id: null, is_sequential: false }) },
    laboratories: {
      table: 'assessments',
      row: (row) => ({ ...row, kind: 'laboratory', course_id: null, is_session_only: false, order_index: 0 }),
    },
    exam_tasks: { table: 'assessment_tasks', row: (row) => ({ ...ofKind(row), hint: '' }) },
    laboratory_tasks: { table: 'assessment_tasks', row: ofKind },
    setup_files: {
      table: 'assessment_files',
      row: ({ exam_task_id, laboratory_task_id, ...row }) => ({
        ...ofKind(row),
        task_id: exam_task_id ?? laboratory_task_id,
      }),
    },
    // Those of a deleted exam or laboratory have the kind of their attempts.
    subject_states: { table: 'assessment_revisions', row: ofKind },
    subject_state_contents: {
      table: 'assessment_revision_contents',
      row: ({ state_id, ...row }) => ({ ...row, revision_id: state_id }),
    },
    attempts: { row: ({ state_id, ...row }) => ({ ...ofKind(row), revision_id: state_id }) },
    deleted_tasks: { row: ({ subject_id, ...row }) => ({ ...row, assessment_id: subject_id }) },
    grade_book_subjects: { table: 'grade_book_assessments', row: ofKind },
    refused_publications: { row: ofKind },
    exam_sessions: { row: (row) => ({ ...row, exam_kind: 'exam' }) },
    laboratory_deadlines: { row: (row) => ({ ...row, laboratory_kind: 'laboratory' }) },
    installation: { row: (row) => lessOf(row, 'counts_checked_at') },
  };
  function inToday(before: ReadonlyMap<string, Row[]>): Map<string, Row[]> {
    const after = new Map<string, Row[]>();
    for (const [name, rows] of before) {
      if (formerCounts.includes(name)) continue;
      const { table = name, row = (same: Row) => same } = moves[name] ?? {};
      after.set(table, [...(after.get(table) ?? []), ...rows.map(row)]);
    }
    return after;
  }

  /** The rows of each table: a demonstration of release 0.2.0 in which an exam was deleted. Passwords and keys are left out. */
  async function demonstrationOfRelease(): Promise<Map<string, Row[]>> {
    const file = join(import.meta.dirname, '../../test/fixtures/release-0.2.0.jsonl.gz');
    const lines = gunzipSync(await readFile(file))
      .toString()
      .trimEnd()
      .split('\n');
    const rows = lines.map((line) => JSON.parse(line) as [table: string, row: Row]);
    const byTable = Map.groupBy(rows, ([table]) => table);
    return new Map([...byTable].map(([table, some]) => [table, some.map(([, row]) => row)]));
  }

  /** The migrations before the baseline, in a database that has their schema. */
  async function beforeBaseline(db: Database, ...names: string[]): Promise<void> {
    await sql`delete from kysely_migration`.execute(db);
    await sql`insert into kysely_migration select unnest(${names}::text[]), '2026-11-26T12:00:00.000Z'`.execute(db);
  }

  it('keeps every row during an upgrade of release 0.2.0', async () => {
    await using own = await emptyDatabase();
    const { db, pool } = own;
    await migrate(db, migrationNames[0]);
    await pool.query(`insert into users (username, email, password_hash) values ('ada', 'ada@example.com', 'x')`);
    await oneRowEachOfBaseline(db, 1);
    const before = await contentOf(db);
    await beforeBaseline(db, '0001-initial', '0063-ended-attempts');
    await migrate(db, oneTable);
    const after = await contentOf(db);
    const expected = inToday(before);
    assert.deepEqual([...after.keys()].sort(), [...expected.keys()].sort());
    for (const [table, rows] of expected) assert.deepEqual(inOrder(after.get(table) ?? []), inOrder(rows), table);
    const { rows } = await pool.query(
      `insert into assessments (kind, title, container_image, passing_score) values ('laboratory', 'Next', 'image', 1) returning id`,
    );
    assert.equal(rows[0].id, 3, 'no id is given twice, that of the deleted exam included');
    // Nothing refers to what is gone.
    await pool.query(`insert into users (username, email, password_hash) values ('bob', 'bob@example.com', 'x')`);
    await pool.query(`update attempts set status = 'abandoned', asked_at = null where status = 'queued'`);
    await pool.query('delete from attempts');
    await migrate(db);
    assert.deepEqual(
      (await pool.query('select name from kysely_migration order by name')).rows.map(({ name }) => name),
      migrationNames,
    );
    await pool.query(`delete from users where username = 'bob'`);
  });

  it('keeps every row of a demonstration of release 0.2.0', async () => {
    await using own = await emptyDatabase();
    const { db, pool } = own;
    await migrate(db, migrationNames[0]);
    // Without triggers: the rows are as a service has left them.
    await pool.query('set session_replication_role = replica');
    for (const [table, rows] of await demonstrationOfRelease()) {
      const columns = Object.keys(rows[0] ?? {});
      const names = columns.map((column) => `"${column}"`).join(', ');
      await pool.query(
        `insert into ${table} (${names}) overriding system value select ${names} from jsonb_populate_recordset(null::${table}, $1)`,
        [JSON.stringify(rows)],
      );
    }
    await pool.query('set session_replication_role = origin');
    const before = await contentOf(db);
    assert.deepEqual([before.get('attempts')?.length, before.get('task_results')?.length], [480, 2318]);
    await migrate(db, oneTable);
    const after = await contentOf(db);
    const expected = inToday(before);
    expected.delete('deleted_rows');
    for (const [table, rows] of expected) assert.deepEqual(inOrder(after.get(table) ?? []), inOrder(rows), table);
    const { rows: kept } = await pool.query(
      `select table_name, key->>'kind' as kind, data->>'kind' as of from deleted_rows order by id`,
    );
    assert.deepEqual(kept, [
      { table_name: 'assessments', kind: 'exam', of: 'exam' },
      { table_name: 'assessment_tasks', kind: 'exam', of: 'exam' },
    ]);
  });

  // Long: one row of each table that a deletion keeps.
  it('restores after an upgrade what was deleted before it', async () => {
    await using own = await emptyDatabase();
    const { db, pool } = own;
    await migrate(db, migrationNames[0]);
    await pool.query(`insert into users (username, email, password_hash) values ('ada', 'ada@example.com', 'x')`);
    await oneRowEachOfBaseline(db, 1);
    // As release 0.2.0 keeps a deleted exam with its task, its file and its place in a grade book, and clears its attempts.
    const { rows: made } = await pool.query(`
      insert into deletions (kind, entity_id, title) values ('exam', 900, 'Deleted') returning id`);
    const { rows: cleared } = await pool.query(`
      insert into attempts (kind, user_id, title, container_name, status, expires_at, max_score, passing_score)
      values ('exam', 1, 'Deleted', 'cleared', 'abandoned', now(), 5, 1) returning id`);
    const keep = (table: string, from: string, changes: object) =>
      pool.query(
        `insert into deleted_rows (deletion_id, table_name, is_reference, key, data)
         select $1, $2::text, false, $3::jsonb, to_jsonb(t) || $4::jsonb from (select * from ${from}) as t limit 1`,
        [made[0].id, table, JSON.stringify({ id: 900 }), JSON.stringify({ id: 900, ...changes })],
      );
    await keep('exams', 'exams', { title: 'Deleted' });
    await keep('exam_tasks', 'exam_tasks', { exam_id: 900 });
    await keep('setup_files', 'setup_files', { exam_id: 900, exam_task_id: 900 });
    await keep('grade_book_subjects', 'grade_book_subjects where exam_id is not null', { exam_id: 900 });
    await keep('exam_sessions', '(select id, exam_id, title, opens_at, closes_at from exam_sessions) as s', {
      exam_id: 900,
    });
    await pool.query(
      `insert into deleted_rows (deletion_id, table_name, is_reference, key, data) values ($1, 'attempts', true, $2, '{"exam_id": 900}')`,
      [made[0].id, JSON.stringify({ id: cleared[0].id })],
    );
    await migrate(db);
    const kept = { id: made[0].id, kind: 'exam', entity_id: 900 } as const;
    await db.transaction().execute((trx) => restoreDeleted(trx, kept, loadConfig({}).catalogue));
    const found = async (query: string) => (await pool.query({ text: query, rowMode: 'array' })).rows;
    assert.deepEqual(await found('select kind, title, time_limit_minutes from assessments where id = 900'), [
      ['exam', 'Deleted', 60],
    ]);
    assert.deepEqual(
      await found('select assessment_kind, assessment_id, points from assessment_tasks where id = 900'),
      [['exam', 900, 5]],
    );
    assert.deepEqual(await found('select kind, assessment_id, task_id from assessment_files where id = 900'), [
      ['exam', 900, 900],
    ]);
    assert.deepEqual(await found('select kind, assessment_id from grade_book_assessments where id = 900'), [
      ['exam', 900],
    ]);
    assert.deepEqual(await found('select exam_kind, exam_id from exam_sessions where id = 900'), [['exam', 900]]);
    assert.deepEqual(await found(`select kind, assessment_id from attempts where container_name = 'cleared'`), [
      ['exam', 900],
    ]);
  });

  it('refuses a database of a release before 0.2.0 and reports the solution', async () => {
    await using own = await emptyDatabase();
    const { db } = own;
    await migrate(db, migrationNames[0]);
    await beforeBaseline(db, '0001-initial', '0048-students-of-rooms');
    await assert.rejects(migrate(db), /before 0\.2\.0: start commit [0-9a-f]{8} .* then this release/);
  });

  it('refuses a database of a newer release and reports the solution', async () => {
    await using own = await emptyDatabase();
    const { db, pool } = own;
    await migrate(db);
    await pool.query(`insert into kysely_migration values ('9999-of-later', '2027-01-01T00:00:00.000Z')`);
    await assert.rejects(migrate(db), /migrated by a newer release \(it has 9999-of-later, .*start that release/);
  });
});
