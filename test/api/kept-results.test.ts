import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import type { Database } from '../../src/database/connection/connect.ts';
import { finishAttempt } from '../finished-attempt.ts';
import { makeAssessment } from '../made-assessment.ts';
import { oneRowEach } from '../rows-of-every-table.ts';
import { TestServer, type TestUser } from '../server.ts';

/** What is kept and says nothing of a person: words of assessments and courses, and what the service itself writes. */
const kept = ['attempts.title', 'attempts.image_id', 'attempts.variant', 'task_results.title', 'certificates.title'];

type Column = { table: string; column: string; owner: 'user_id' | 'attempt_id'; type: string };

/** Columns for text in rows that belong to a user, or to an attempt. */
async function columnsOf(db: Database): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select c.table_name as "table", c.column_name as "column", c.data_type as type,
      case when exists (select from information_schema.columns as o where o.table_name = c.table_name and o.table_schema = 'public'
        and o.column_name = 'user_id') then 'user_id' else 'attempt_id' end as owner
    from information_schema.columns as c join information_schema.tables as t using (table_schema, table_name)
    where table_schema = 'public' and t.table_type = 'BASE TABLE' and c.data_type in ('text', 'jsonb', 'ARRAY') and c.is_generated = 'NEVER'
      and exists (select from information_schema.columns as o where o.table_name = c.table_name and o.table_schema = 'public'
        and o.column_name in ('user_id', 'attempt_id'))
    order by 1, 2`.execute(db);
  return rows;
}

/** Writes a canary wherever the constraints permit one. @returns the columns that have it */
async function plant(db: Database, userId: number): Promise<string[]> {
  const planted: string[] = [];
  for (const { table, column, owner, type } of await columnsOf(db)) {
    // A machine has its own name, and is removed in the background.
    if (kept.includes(`${table}.${column}`) || table === 'containers') continue;
    const value =
      type === 'text'
        ? sql`'canary ' || substr(md5(random()::text), 1, 8)`
        : type === 'jsonb'
          ? sql`'["canary"]'::jsonb`
          : sql`array['canary']`;
    const whose = owner === 'user_id' ? sql`${userId}` : sql`any(select id from attempts where user_id = ${userId})`;
    try {
      const { numAffectedRows } = await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${value}
        where ${sql.ref(owner)} = ${whose}`.execute(db);
      if (numAffectedRows) planted.push(`${table}.${column}`);
    } catch {
      // A constraint permits other values only.
    }
  }
  return planted;
}

/** The tables with a canary. */
async function remains(db: Database): Promise<string[]> {
  const { rows } = await sql<{
    schema: string;
    name: string;
  }>`select schemaname as schema, tablename as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`.execute(db);
  const found: string[] = [];
  for (const { schema, name } of rows) {
    const table = sql.raw(`"${schema}"."${name}"`);
    const row = await sql<{
      text: string;
    }>`select one::text as text from ${table} as one where one::text ilike '%canary%' limit 1`.execute(db);
    if (row.rows[0]) found.push(`${name}: ${row.rows[0].text}`);
  }
  return found;
}

describe('results after the deletion of their user', () => {
  let server: TestServer;
  let admin: TestUser;
  before(async () => {
    server = await TestServer.start({}, { engine: { reason: 'this test has none' } });
    admin = await server.user('admin');
  });
  after(() => server?.[Symbol.asyncDispose]());

  const keep = (has_kept_results: boolean) => server.put('/api/admin/site', admin.token, { has_kept_results });
  const remove = (id: number) => server.delete(`/api/admin/users/${id}`, admin.token);
  const attempts = () =>
    server.application.db
      .selectFrom('attempts')
      .innerJoin('users', 'users.id', 'attempts.user_id')
      .select(['attempts.id', 'attempts.status', 'score', 'username', 'user_id', 'is_pseudonym'])
      .orderBy('attempts.id')
      .execute();

  it('go with the user by default, and with a user who has none', async () => {
    const { db } = server.application;
    const count = async () => (await db.selectFrom('users').select('id').execute()).length;
    const exam = await makeAssessment(server, admin, 'exam', ['echo PASS']);
    const [user, empty] = [await server.user(), await server.user()];
    const users = await count();
    await finishAttempt(server, user, 'exam', exam, [true]);
    assert.equal((await remove(user.id)).status, 200);
    assert.deepEqual(await attempts(), []);
    await keep(true);
    assert.equal((await remove(empty.id)).status, 200);
    assert.equal(await count(), users - 2);
  });

  // Long: one user with rows in every table goes through both deletions.
  it('stay without anything personal where a setting keeps them, until the pseudonym is deleted as well', async () => {
    const { db } = server.application;
    const user = await server.user();
    await oneRowEach(db, user.id);
    const { class_id } = await db
      .selectFrom('class_members')
      .select('class_id')
      .where('user_id', '=', user.id)
      .executeTakeFirstOrThrow();
    await sql`update class_members set role = 'student' where user_id = ${user.id}`.execute(db);
    await sql`update users set full_name = 'Canary Person', bio = 'canary', email = 'canary@example.com', username = 'canary' where id = ${user.id}`.execute(
      db,
    );
    await sql`update certificates set name = 'Canary' where user_id = ${user.id}`.execute(db);
    const planted = await plant(db, user.id);
    for (const column of ['task_results.output', 'task_answers.text', 'lesson_notes.text', 'activity_log.title'])
      assert.ok(planted.includes(column), `${column} among ${planted}`);
    const before = (await attempts()).filter(({ status }) => status === 'finished');
    const points = await db.selectFrom('task_results').select(['attempt_id', 'task_id', 'points_earned']).execute();
    const { total: grades } = await db
      .selectFrom('grade_values')
      .where('user_id', '=', user.id)
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();

    assert.equal((await keep(true)).body.has_kept_results, true);
    const removed = await remove(user.id);
    assert.equal(removed.status, 200, removed.text);
    assert.deepEqual(await remains(db), []);
    const after = await attempts();
    assert.deepEqual(
      after.filter(({ status }) => status === 'finished').map(({ id, score }) => ({ id, score })),
      before.map(({ id, score }) => ({ id, score })),
    );
    const pseudonym = after[0]?.user_id ?? 0;
    assert.ok(after.length > 0 && after.every((row) => row.is_pseudonym && row.user_id === pseudonym));
    assert.match(after[0]?.username ?? '', /^pseudonym [0-9a-f]{12}$/);
    const left = await db.selectFrom('task_results').select(['attempt_id', 'task_id', 'points_earned']).execute();
    const ids = new Set(after.map(({ id }) => id));
    assert.deepEqual(
      left,
      points.filter(({ attempt_id }) => ids.has(attempt_id)),
    );
    const values = await db.selectFrom('grade_values').where('user_id', '=', pseudonym).selectAll().execute();
    assert.equal(values.length, Number(grades));
    const members = await db.selectFrom('class_members').where('user_id', '=', pseudonym).selectAll().execute();
    assert.deepEqual(
      members.map((row) => row.class_id),
      [class_id],
    );
    const certificates = await db.selectFrom('certificates').selectAll().execute();
    assert.ok(certificates.every((row) => row.user_id === null && row.attempt_id === null && row.withdrawn_at));

    for (const changes of [{ is_active: true }, { password: 'a new password' }])
      assert.equal((await server.put(`/api/admin/users/${pseudonym}`, admin.token, changes)).code, 'conflict');
    assert.equal((await remove(pseudonym)).status, 200);
    assert.deepEqual(await attempts(), []);
  });
});
