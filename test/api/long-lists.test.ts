import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { sql } from 'kysely';
import { describeLong } from '../rounds.ts';
import { TestServer, type TestUser } from '../server.ts';

type Row = { id: number; user_id: number };

/** 12,000 attempts: more than are counted for a total. */
const attempts = `insert into attempts (kind, assessment_id, user_id, title, container_name, status, created_at, started_at,
    expires_at, submitted_at, score, max_score, passing_score, passed)
  select case when n % 3 = 0 then 'laboratory' else 'exam' end, case when n % 3 = 0 then $laboratory else $exam + n % 2 end,
    $user + n % 400, 'Title', 'long-' || n,
    case when n % 5 = 0 then 'abandoned' else 'finished' end, now(), moment, moment, now(),
    case when n % 5 > 0 then n % 4 end, 3, 2, case when n % 5 > 0 then n % 4 >= 2 end
  from (select n, timestamptz '2026-01-01' + n * interval '1 minute' as moment from generate_series(1, 12000) n) as numbers`;

describeLong('long lists', () => {
  let server: TestServer;
  let admin: TestUser;
  let exam: number;
  const ids = async (query: string): Promise<number[]> =>
    (
      await sql<{ id: number }>`select id from ${sql.raw(query)} order by id desc`.execute(server.application.db)
    ).rows.map(({ id }) => Number(id));

  before(async () => {
    server = await TestServer.start({ REQUESTS_PER_MINUTE: '100000' });
    admin = await server.user('admin');
    const { db } = server.application;
    const assessment = { title: 'Exam', container_image: 'image', passing_score: 2 };
    const exams = await db
      .insertInto('assessments')
      .values(
        [1, 2].map((number) => ({
          kind: 'exam' as const,
          ...assessment,
          slug: `exam-${number}`,
          time_limit_minutes: 60,
        })),
      )
      .returning('id')
      .execute();
    const laboratory = await db
      .insertInto('assessments')
      .values({ kind: 'laboratory', ...assessment })
      .returning('id')
      .executeTakeFirstOrThrow();
    exam = exams[0]?.id ?? 0;
    const users = await sql<{ id: number }>`insert into users (username, email, password_hash, full_name)
      select 'pupil-' || n, 'pupil-' || n || '@example.com', 'x', 'Name of ' || n % 7 from generate_series(0, 399) n
      returning id`.execute(db);
    // A search that matches more than 5,000 users is another statement.
    await sql`insert into users (username, email, password_hash)
      select 'guest' || n, 'guest' || n || '@example.com', 'x' from generate_series(1, 5000) n`.execute(db);
    const values = { $exam: exam, $laboratory: laboratory.id, $user: users.rows[0]?.id ?? 0 };
    const text = Object.entries(values).reduce((all, [name, value]) => all.replaceAll(name, String(value)), attempts);
    await sql.raw(text).execute(db);
    await sql`insert into activity_log (user_id, actor_id, type, title, entity_type, entity_id)
      select user_id, user_id, case when id % 4 = 0 then 'exam_start' else 'lesson_complete' end, 'Title',
        case when id % 4 = 0 then 'exam' else 'theme' end, id % 3 from attempts`.execute(db);
    await sql`analyze`.execute(db);
  });
  after(() => server[Symbol.asyncDispose]());

  const get = async (path: string) => {
    const answer = await server.get(path, admin.token);
    assert.equal(answer.status, 200, answer.text);
    const link = answer.headers.get('link') ?? '';
    const links = Object.fromEntries(
      [...link.matchAll(/<([^>]*)>; rel="(\w+)"/g)].map(([, target, rel]) => [rel, target]),
    );
    return { ...answer, links, ids: (answer.body as Row[]).map(({ id }) => id) };
  };
  const follow = async (path: string, rel: 'next' | 'prev'): Promise<number[]> => {
    const seen: number[] = [];
    for (let url: string | undefined = path; url !== undefined; ) {
      const page = await get(url);
      if (rel === 'next') seen.push(...page.ids);
      else seen.unshift(...page.ids);
      url = page.links[rel];
    }
    return seen;
  };

  /** `X-Total-Count`, and whether it is a minimum. */
  const totalOf = ({ headers }: { headers: Headers }) => [
    Number(headers.get('x-total-count')),
    headers.get('x-total-is-minimum'),
  ];
  const toldTotal = (rows: number) => (rows > 10_000 ? [10_000, 'true'] : [rows, null]);

  const lists: [path: string, rows: () => string][] = [
    ['/api/admin/attempts?', () => 'attempts'],
    ['/api/admin/attempts?kind=exam&status=abandoned', () => `attempts where kind = 'exam' and status = 'abandoned'`],
    ['/api/instructor/attempts?passed=true', () => 'attempts where passed'],
    ['/api/instructor/attempts?passed=false', () => 'attempts where not passed'],
    ['/api/instructor/attempts?exam_id=EXAM', () => `attempts where kind = 'exam' and assessment_id = ${exam}`],
    ['/api/instructor/attempts?exam_id=EXAM&status=finished', () => `attempts where kind = 'exam' and assessment_id = ${exam} and status = 'finished'`],
    ['/api/instructor/attempts?search=PUPIL-12', () => `attempts where user_id in (select id from users where username like 'pupil-12%')`],
    ['/api/instructor/attempts?from=2026-01-03&to=2026-01-07', () => `attempts where started_at >= '2026-01-03Z' and started_at < '2026-01-07Z'`],
    ['/api/instructor/attempts?from=2026-01-02&kind=exam', () => `attempts where started_at >= '2026-01-02Z' and kind = 'exam'`],
    ['/api/instructor/attempts?to=2026-01-08T08:00:00Z', () => `attempts where started_at < '2026-01-08T08:00:00Z'`],
    ['/api/instructor/attempts?search=pupil', () => 'attempts'],
    ['/api/instructor/attempts?search=pupil&kind=exam&passed=true', () => `attempts where kind = 'exam' and passed`],
    ['/api/instructor/attempts?search=pupil&exam_id=EXAM', () => `attempts where kind = 'exam' and assessment_id = ${exam}`],
    ['/api/instructor/attempts?search=pupil&from=2026-01-03&to=2026-01-07', () => `attempts where started_at >= '2026-01-03Z' and started_at < '2026-01-07Z'`],
    ['/api/instructor/attempts?search=p', () => 'attempts'],
    ['/api/instructor/attempts?search=p&kind=laboratory', () => `attempts where kind = 'laboratory'`],
    ['/api/instructor/attempts?search=-9', () => `attempts where user_id in (select id from users where username like '%-9%')`],
    ['/api/admin/activity?', () => 'activity_log'],
    ['/api/admin/activity?type=lesson_complete', () => `activity_log where type = 'lesson_complete'`],
    ['/api/admin/activity?entity_type=exam', () => `activity_log where entity_type = 'exam'`],
    ['/api/admin/activity?entity_id=2', () => 'activity_log where entity_id = 2'],
    ['/api/admin/activity?entity_type=theme&entity_id=1', () => `activity_log where entity_type = 'theme' and entity_id = 1`],
  ]; // biome-ignore format: a table
  it('are whole without a page, up to 10,000 rows, and continue behind a link', async () => {
    const whole: [path: string, all: number[]][] = [
      ['/api/admin/attempts', await ids('attempts')],
      ['/api/instructor/attempts?search=pupil', await ids('attempts')],
      ['/api/admin/activity', await ids('activity_log')],
      ['/api/admin/users', (await ids('users')).reverse()],
    ];
    for (const [path, all] of whole) {
      const first = await get(path);
      assert.deepEqual(first.ids, all.slice(0, 10_000), path);
      assert.equal(first.links['next'] === undefined, all.length <= 10_000, path);
      if (all.length > 10_000)
        assert.deepEqual(await follow(first.links['next'] ?? '', 'next'), all.slice(10_000), path);
    }
  });

  for (const [template, rows] of lists) {
    // In `npm test` every third list stands for the others.
    it(`have the same order by number and by cursor: ${template}`, async () => {
      const path = template.replace('EXAM', String(exam));
      const all = await ids(rows());
      const first = await get(`${path}&page_size=100`);
      assert.deepEqual(totalOf(first), toldTotal(all.length));
      assert.equal(
        first.links['last'] === undefined,
        all.length > 10_000,
        'the last page of a longer list is not known',
      );
      const pages = Math.ceil(all.length / 100);
      for (const page of new Set(
        [1, 2, Math.ceil(pages / 2), pages - 1, pages, pages + 1].filter((number) => number > 0),
      )) {
        const { ids: shown } = await get(`${path}&page=${page}&page_size=100`);
        assert.deepEqual(shown, all.slice(100 * (page - 1), 100 * page), `page ${page} of ${pages}`);
      }
      // Long lists are followed from a place near their end, and back from one near their start.
      const tail = Math.max(1, pages - 2);
      assert.deepEqual(await follow(`${path}&page=${tail}&page_size=100`, 'next'), all.slice(100 * (tail - 1)));
      const head = Math.min(3, pages);
      assert.deepEqual(await follow(`${path}&page=${head}&page_size=100`, 'prev'), all.slice(0, 100 * head));
    });
  }

  it('of the activity log can begin with the oldest entry, also far into it', async () => {
    const all = (await ids('activity_log')).reverse();
    for (const page of [1, 80, 120, 121]) {
      const { ids: shown } = await get(`/api/admin/activity?order=asc&page=${page}&page_size=100`);
      assert.deepEqual(shown, all.slice(100 * (page - 1), 100 * page), `page ${page}`);
    }
  });

  // Short texts and texts without three letters in a row have no trigram.
  const texts = [
    'u',
    'ü',
    'g',
    'ii',
    'il',
    '-9',
    '9-',
    'Ы',
    'ы2',
    'Я-',
    '%',
    '\\_',
    '_',
    'il-3',
    ' of',
    'E O',
    'GUEST12',
    'pupil-39',
    '日本',
    'zq',
    '.c',
  ];
  for (const text of texts) {
    it(`contain exactly the users whose names contain "${text}"`, async () => {
      const { db } = server.application;
      await sql`insert into users (username, email, password_hash, full_name) values
        ('odd_1', 'odd-1@example.com', 'x', ${'Ü-Ы2 Я-%\\_ 日本'}) on conflict do nothing`.execute(db);
      const { rows } = await sql<{ id: number }>`select id from users
        where strpos(lower(username || ' ' || email || ' ' || coalesce(full_name, '')), ${text.toLowerCase()}) > 0
        order by id`.execute(db);
      const first = await get(`/api/admin/users?page_size=100&q=${encodeURIComponent(text)}`);
      assert.deepEqual(first.ids, rows.slice(0, 100).map(({ id }) => id)); // biome-ignore format: one line
      assert.deepEqual(totalOf(first), toldTotal(rows.length));
    });
  }

  it('are behind statistics that are read once a minute', async () => {
    const { db } = server.application;
    const students = async () =>
      (await server.get('/api/instructor/subjects', admin.token)).body.map(
        ({ students: number }: { students: number }) => number,
      );
    const { attempts: counted } = (await server.get('/api/admin/stats', admin.token)).body;
    assert.deepEqual([counted.finished, counted.abandoned], [9600, 2400]);
    const { rows } = await sql<{ students: number }>`select count(distinct user_id)::int as students from attempts
      group by kind, assessment_id order by kind, assessment_id`.execute(db);
    const expected = rows.map(({ students: number }) => number);
    assert.deepEqual(await students(), expected);
    const { id } = await server.user();
    await sql`insert into attempts (kind, assessment_id, user_id, title, container_name, status, expires_at, max_score, passing_score)
      values ('exam', ${exam}, ${id}, 'Title', 'new', 'abandoned', now(), 3, 2)`.execute(db);
    assert.deepEqual(await students(), expected, 'read less than a minute ago');
    await db.deleteFrom('users').where('id', '=', id).execute();
  });

  it('show every row once while rows are added and deleted', async () => {
    const { db } = server.application;
    const path = '/api/admin/users?role=student&page_size=30';
    const before = (
      await sql<{ id: number }>`select id from users where role = 'student' order by id`.execute(db)
    ).rows.map(({ id }) => id);
    const seen: number[] = [];
    const deleted = before.at(-5) ?? 0;
    for (let url: string | undefined = path; url !== undefined; ) {
      const page = await get(url);
      seen.push(...page.ids);
      url = page.links['next'];
      // A row that was shown: every later page would move by it, if pages were counted.
      await sql`delete from users where id = ${seen.at(-1)}`.execute(db);
      await sql`delete from users where id = ${deleted}`.execute(db);
    }
    assert.deepEqual(
      seen,
      before.filter((id) => id !== deleted),
    );
  });

  it('lead through the students of a grade book by name', async () => {
    const path = `/api/instructor/exams/${exam}/grade-book?`;
    const { db } = server.application;
    const { rows } = await sql<{ username: string }>`select username from users
      where exists (select from attempts where kind = 'exam' and assessment_id = ${exam} and user_id = users.id) order by lower(username)`.execute(
      db,
    );
    const names = rows.map(({ username }) => username);
    const seen: string[] = [];
    for (let url: string | undefined = `${path}page_size=40`; url !== undefined; ) {
      const { body, headers } = await server.get(url, admin.token);
      assert.deepEqual(totalOf({ headers }), toldTotal(names.length));
      seen.push(...body.students.map(({ username }: { username: string }) => username));
      url = /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
    }
    assert.deepEqual(seen, names);
    const last = Math.ceil(names.length / 40);
    const { body } = await server.get(`${path}page=${last}&page_size=40`, admin.token);
    assert.deepEqual(
      body.students.map(({ username }: { username: string }) => username),
      names.slice(40 * (last - 1)),
    );
  });

  it('refuse a cursor that the service did not write for this list', async () => {
    const { links } = await get('/api/admin/attempts?page_size=10');
    const cursor = new URL(links['next'] ?? '', 'http://x').searchParams.get('cursor') ?? '';
    const [payload = '', signature = ''] = cursor.split('.');
    const other = Buffer.from(JSON.stringify(['after', 5])).toString('base64url');
    const refused = async (path: string) => {
      const { status, body, code } = await server.get(path, admin.token);
      assert.deepEqual(
        [status, body.detail?.[0]?.loc, body.detail?.[0]?.type, code],
        [422, ['query', 'cursor'], 'value_error', 'validation'],
        path,
      );
    };
    for (const forged of [
      `${other}.${signature}`,
      payload,
      `${payload}.`,
      `${payload}.${'A'.repeat(16)}`,
      `${cursor}.x`,
      'x',
    ])
      await refused(`/api/admin/attempts?cursor=${forged}`);
    await refused(`/api/instructor/attempts?cursor=${cursor}`);
    await refused(`/api/admin/attempts?page=1&cursor=${cursor}`);
    assert.equal((await get(`/api/admin/attempts/?cursor=${cursor}&status=abandoned`)).ids.length, 100);
  });

  // The last test: it adds and changes attempts.
  it('are sorted by a field without an index up to a length', async () => {
    const path = '/api/instructor/attempts?sort=score&order=desc';
    const best = `attempts where score = 3`;
    const { ids: shown } = await get(`${path}&page_size=100`);
    assert.deepEqual(shown, (await ids(best)).slice(0, 100));
    assert.deepEqual((await get(`${path}&page=3&page_size=100`)).ids, (await ids(best)).slice(200, 300));
    const { db } = server.application;
    await sql`insert into attempts (kind, assessment_id, user_id, title, container_name, status, expires_at, max_score, passing_score)
      select kind, assessment_id, user_id, title, container_name || '-again', 'abandoned', now(), 3, 2 from attempts`.execute(
      db,
    );
    const { status, code } = await server.get(path, admin.token);
    assert.deepEqual([status, code], [409, 'too_long_to_sort']);
    assert.equal((await get(`${path}&status=finished&page_size=1`)).ids[0], shown[0]);
    const book = `/api/instructor/exams/${exam}/grade-book?sort=score`;
    assert.equal((await server.get(book, admin.token)).status, 200);
    await sql`update attempts set assessment_id = ${exam}, kind = 'exam'`.execute(db);
    assert.equal((await server.get(book, admin.token)).code, 'too_long_to_sort');
    assert.equal((await server.get(book.replace('score', 'username'), admin.token)).status, 200);
  });
});
