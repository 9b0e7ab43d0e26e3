import assert from 'node:assert/strict';
import { after, before as beforeAll, it } from 'node:test';
import { sql } from 'kysely';
import { type ApiDocument, type Operation, withoutReferences } from '../documented-answers.ts';
import { describeLong } from '../rounds.ts';
import { withSameIds } from '../same-ids.ts';
import { TestServer, type TestUser } from '../server.ts';

type Schema = { properties?: Record<string, Schema>; items?: Schema; anyOf?: Schema[] };
type Rows = Record<string, Map<string, Record<string, unknown>>>;

/** Columns that an operation sets to the time of the database, independently of the request. */
const ownColumns = new Set(['tokens_valid_from', 'last_login_at', 'completed_at']);
/** Tables that the service writes at any time. */
const live = new Set(['processes', 'request_counts', 'rate_limits', 'lesson_texts']);
const sentTime = '2030-01-01T00:00:00.000Z';

/** What the service itself notes of a login at each of its tokens. */
const ofLogin = /^logins \d+ (device|address|expires_at|valid_from|last_used_at)$/;
/** The limit of addresses that are asked for from a network. */
const ofMailLimit = /^login_throttles mails:\S+ (failures|blocked_until|last_failure_at)$/;
/** What goes on in the background after a request. */
const ofRegrade = /^(regrades|regrade_attempts) [\d,]+ status$/;
/** What an import of the lessons repository, which needs no field, does with a course that it knows. */
const ordersSection = /^sections \d+ order_index$/;

describeLong('fields that users cannot set', () => {
  let server: TestServer;
  let document: ApiDocument;
  let admin: TestUser;
  let student: TestUser;
  let fields: string[];
  let tableNames: string[];
  /** The columns of the primary keys. */
  let keys: Record<string, string[]>;
  let before: Rows;
  beforeAll(async () => {
    server = await TestServer.start({}, { engine: { reason: 'this test has none' } });
    document = withoutReferences((await server.get('/api/openapi.json')).body);
    admin = await server.user('admin');
    student = await server.user();
    fields = [...new Set([...Object.values(await columns()).flat(), ...answeredFields()])].sort();
    tableNames = Object.keys(await columns());
    keys = await primaryKeys();
    await make();
    before = await read();
  });
  after(() => server?.[Symbol.asyncDispose]());

  it('are known: each column of each table, and each field of each answer', () => {
    for (const name of [
      'id',
      'role',
      'password_hash',
      'passed',
      'score',
      'user_id',
      'expires_at',
      'engine_ref',
      'percent',
    ]) {
      assert.ok(fields.includes(name), name);
    }
    assert.ok(fields.length > 100, `${fields.length}`);
  });

  for (const role of ['student', 'admin'] as const) {
    it(`change no row as a ${role} with any operation`, async () => {
      let sent = 0;
      for (const [path, methods] of Object.entries(document.paths)) {
        for (const [method, operation] of Object.entries(methods)) {
          if (method === 'delete' || path.endsWith('/logout')) continue;
          const known = requestFields(operation);
          const foreign = fields.filter((name) => !known.has(name));
          const values = hostileValues(role === 'admin' ? student : admin);
          const sentFields = Object.fromEntries(foreign.map((name) => [name, values(name)]));
          await send(method, path, role === 'admin' ? admin.token : student.token, sentFields);
          sent += 1;
        }
      }
      assert.ok(sent > 75, `${sent}`);
    });
  }

  // Long: what a registration, a profile and a course are sent is compared with the same rows.
  it('do not change a row written with permitted fields', async () => {
    const foreign = (known: string[]) =>
      Object.fromEntries(
        fields.filter((name) => !known.includes(name)).map((name) => [name, hostileValues(admin)(name)]),
      );
    const account = { username: 'mallory', email: 'mallory@example.com', password: 'a password of hers' };
    const registered = await server.post('/api/auth/register', undefined, {
      ...foreign([...Object.keys(account), 'full_name']),
      ...account,
    });
    assert.equal(registered.status, 200, registered.text);
    const row = await server.application.db
      .selectFrom('users')
      .selectAll()
      .where('username', '=', 'mallory')
      .executeTakeFirstOrThrow();
    assert.deepEqual(
      [row.role, row.is_active, row.bio, row.avatar_key, row.last_login_at],
      ['student', true, '', null, null],
    );
    assert.ok(row.id < 1000 && Math.abs(Number(row.created_at) - Date.now()) < 60_000);
    const login = await server.post('/api/auth/login', undefined, { username: 'mallory', password: account.password });
    assert.equal(login.status, 200);
    const then = await read();
    const readable = Object.keys((await server.get('/api/profile/me', login.body.access_token)).body);
    const refused = await server.put(
      '/api/profile/me',
      login.body.access_token,
      foreign(['full_name', 'email', 'bio']),
    );
    assert.equal(refused.status, 422, 'fields that can only be read');
    const profile = await server.put('/api/profile/me', login.body.access_token, {
      ...foreign(readable),
      bio: 'Hello',
    });
    assert.equal(profile.status, 200, profile.text);
    assert.deepEqual(changes(then, await read()), [`users ${row.id} bio`]);
    const made = await server.post('/api/admin/lessons/courses', admin.token, {
      ...foreign(['name', 'slug', 'description', 'icon', 'order_index', 'is_active', 'repository_id']),
      name: 'Her course',
    });
    assert.equal(made.status, 201, made.text);
    assert.ok(made.body.id < 1000);
  });

  /** Sends them as a body and as a query string. Afterwards the rows are unchanged, except what the operation itself sets and creates. */
  async function send(method: string, path: string, token: string, sent: Record<string, unknown>): Promise<void> {
    const ids: Record<string, number> = { id: 1, course_id: 1, section_id: 1, theme_id: 1, task_id: 1 };
    const target = path.replace(/\{(\w+|\*)\}/g, (_, name: string) => String(ids[name] ?? 'x'));
    const query = new URLSearchParams(
      Object.entries(sent).map(([name, value]): [string, string] => [name, String(value)]),
    );
    const answers = [
      await server.request(method.toUpperCase(), `${target}?${query}`, { token }),
      ...(method === 'get' ? [] : [await server.request(method.toUpperCase(), target, { token, json: sent })]),
    ];
    for (const { status } of answers) assert.ok(status < 500 || status === 503, `${method} ${path}: ${status}`);
    const now = await read();
    const found = changes(before, now);
    before = now;
    const isOwn = (change: string) =>
      (path === '/api/auth/refresh' && ofLogin.test(change)) ||
      (path === '/api/auth/email/check' && ofMailLimit.test(change)) ||
      ofRegrade.test(change) ||
      (path === '/api/admin/lessons/import' && ordersSection.test(change)) ||
      (path === '/api/admin/lessons/themes/{theme_id}/write' && change === 'themes 1 is_written') ||
      (path === '/api/instructor/regrades/{id}/apply' && /^regrades 1 (status|decided_at|decided_by)$/.test(change));
    assert.deepEqual(
      found.filter((change) => !isOwn(change)),
      [],
      `${method} ${path}`,
    );
  }

  /** The value that an attacker would choose for a field of that name. */
  const hostileValues = (user: TestUser) => (name: string) => {
    if (name === 'role') return 'admin';
    if (/^(is_|has_|passed|completed)/.test(name)) return name !== 'is_active';
    if (/_at$|_from$|_until$/.test(name)) return sentTime;
    if (/(^|_)id$/.test(name)) return user.id;
    if (/(score|points|percent|minutes|mb|cpus|index|bytes|total|count)/.test(name)) return 99;
    if (name === 'email') return 'taken-over@example.com';
    return name === 'status' ? 'finished' : '1000';
  };

  async function columns(): Promise<Record<string, string[]>> {
    const { rows } = await sql<{ table_name: string; column_name: string }>`
      select table_name, column_name from information_schema.columns where table_schema = 'public'`.execute(
      server.application.db,
    );
    const grouped: Record<string, string[]> = {};
    for (const { table_name, column_name } of rows) grouped[table_name] = [...(grouped[table_name] ?? []), column_name];
    return grouped;
  }

  async function primaryKeys(): Promise<Record<string, string[]>> {
    const { rows } = await sql<{ name: string; columns: string[] }>`
      select relname as name, array_agg(attname::text order by attnum) as columns from pg_index join pg_class on pg_class.oid = indrelid
      join pg_attribute on attrelid = indrelid and attnum = any (indkey) where indisprimary group by relname`.execute(
      server.application.db,
    );
    return Object.fromEntries(rows.map(({ name, columns }) => [name, columns]));
  }

  /** Every row of every table, by table and primary key, in one statement. */
  async function read(): Promise<Rows> {
    const names = tableNames.filter((table) => !table.startsWith('kysely') && !live.has(table));
    const each = names.map(
      (table) => sql`select ${sql.lit(table)} as name, to_jsonb(t) as row from ${sql.table(table)} as t`,
    );
    type Found = { name: string; row: Record<string, unknown> };
    const { rows } = await sql<Found>`${sql.join(each, sql` union all `)}`.execute(server.application.db);
    const tables: Rows = Object.fromEntries(names.map((name) => [name, new Map()]));
    for (const { name, row } of rows) {
      const key = keys[name]?.map((column) => row[column]);
      tables[name]?.set((key ?? Object.values(row).slice(0, 2)).join(), row);
    }
    return tables;
  }

  function changes(before: Rows, after: Rows): string[] {
    const found: string[] = [];
    for (const [table, rows] of Object.entries(before)) {
      for (const [key, row] of rows) {
        const now = after[table]?.get(key);
        if (!now) found.push(`${table} ${key} is gone`);
        else
          found.push(
            ...Object.keys(row)
              .filter(
                (name) =>
                  !(ownColumns.has(name) && !String(now[name]).startsWith('2030')) &&
                  JSON.stringify(row[name]) !== JSON.stringify(now[name]),
              )
              .map((name) => `${table} ${key} ${name}`),
          );
      }
    }
    return found;
  }

  /** An exam, a laboratory and a theme with the id 1, and ended attempts of the student. */
  async function make(): Promise<void> {
    const made = async (path: string, json: object) => {
      const { status, text } = await server.post(path, admin.token, json);
      assert.equal(status, 201, `${path}: ${text}`);
    };
    const assessment = { title: 'Subject', container_image: 'none', passing_score: 1, time_limit_minutes: 30 };
    await made('/api/admin/lessons/courses', { name: 'Course' });
    await made('/api/admin/lessons/sections', { name: 'Section', course_id: 1 });
    await made('/api/admin/lessons/themes', { title: 'Theme', section_id: 1, markdown_file_path: 'a.md' });
    await made('/api/admin/sandbox-templates', { name: 'Shell', image: 'none', memory_mb: 64, cpus: 1 });
    const task = { title: 'Task', points: 1, verification_script: 'echo PASS' };
    await made('/api/admin/exams', assessment);
    await made('/api/admin/exams/1/tasks', task);
    await withSameIds(server.application.db, async () => {
      await made('/api/admin/laboratories', { ...assessment, section_id: 1 });
      await made('/api/admin/laboratories/1/tasks', task);
    });
    const attempt = {
      title: 'Subject',
      user_id: student.id,
      status: 'finished' as const,
      max_score: 1,
      passing_score: 1,
      score: 0,
      passed: false,
      submitted_at: new Date(),
    };
    await server.application.db
      .insertInto('attempts')
      .values({
        ...attempt,
        kind: 'exam',
        assessment_id: 1,
        container_name: 'exam-1',
        expires_at: new Date(Date.now() + 1e6),
      })
      .execute();
  }

  function requestFields(operation: Operation): Set<string> {
    const query = (operation.parameters ?? []).filter((one) => one.in === 'query').map(({ name }) => name);
    const bodies = Object.values(operation.requestBody?.content ?? {}).flatMap(({ schema }) =>
      Object.keys((schema as Schema)?.properties ?? {}),
    );
    return new Set([...query, ...bodies]);
  }

  function answeredFields(): string[] {
    const names = (schema: Schema | undefined): string[] =>
      schema
        ? [
            ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => [name, ...names(inner)]),
            ...names(schema.items),
            ...(schema.anyOf ?? []).flatMap(names),
          ]
        : [];
    return Object.values(document.paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ responses }) => Object.values(responses))
      .flatMap(({ content }) => Object.values(content ?? {}))
      .flatMap(({ schema }) => names(schema as Schema));
  }
});
