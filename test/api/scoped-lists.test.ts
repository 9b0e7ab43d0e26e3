import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { sql } from 'kysely';
import { describeLong } from '../rounds.ts';
import { TestServer, type TestUser } from '../server.ts';

const users = `select 'pupil-' || n, 'pupil-' || n || '@example.com', 'x', 'Name of ' || n % 7 from generate_series(0, 7999) n`;
/** Of each pupil two attempts, in an order that mixes the classes. Those of pupils in none of the classes are half of them. */
const attempts = `insert into attempts (kind, assessment_id, user_id, title, container_name, status, started_at, expires_at,
    submitted_at, score, max_score, passing_score, passed)
  select case when n % 3 = 0 then 'laboratory' else 'exam' end, case when n % 3 = 0 then $laboratory else $exam end,
    $user + (n * 7919) % 8000, 'Title', 'scoped-' || n,
    case when n % 5 = 0 then 'abandoned' else 'finished' end, moment, moment, now(), case when n % 5 > 0 then n % 4 end, 3, 2,
    case when n % 5 > 0 then n % 4 >= 2 end
  from (select n, timestamptz '2026-01-01' + n * interval '1 minute' as moment from generate_series(1, 16000) n) as numbers`;

/** The pupils of each instructor: the attempts of few are looked up, those of more are tested, of very many searched as well. */
const sizes = { few: 200, many: 1000, most: 6000 };
type Who = keyof typeof sizes;
/** Rows of each list that are compared in order. */
const shown = 300;

const seen = (who: Who) => `select user_id from class_members where role = 'student' and class_id in (
  select class_id from class_members where user_id = ${'$'}${who} and role <> 'student')`;
const filters: [query: string, condition: string][] = [
  ['', 'true'],
  ['kind=exam&passed=false', "kind = 'exam' and passed = false"],
  ['exam_id=EXAM', "kind = 'exam' and assessment_id = EXAM"],
  [
    'laboratory_id=LABORATORY&status=abandoned',
    "kind = 'laboratory' and assessment_id = LABORATORY and status = 'abandoned'",
  ],
  ['from=2026-01-03&to=2026-01-08T08:00:00Z', "started_at >= '2026-01-03' and started_at < '2026-01-08 08:00Z'"],
  ['search=PUPIL-12', "user_id in (select id from users where username like '%pupil-12%')"],
  ['search=pupil', "user_id in (select id from users where username like '%pupil%')"],
  ['search=of%203&kind=exam', "kind = 'exam' and user_id in (select id from users where full_name like '%of 3')"],
  ['user_id=USER', 'user_id = USER'],
];

describeLong('lists of the students of own classes', () => {
  let server: TestServer;
  const instructors = {} as Record<Who, TestUser>;
  const values: Record<string, number> = {};
  const filled = (text: string): string =>
    text.replaceAll(/\$?(EXAM|LABORATORY|USER|exam|laboratory|user|few|many|most)\b/g, (all, name: string) =>
      all.startsWith('$') || name === name.toUpperCase() ? String(values[name.toLowerCase()]) : all,
    );
  const numbers = async (query: string): Promise<number[]> =>
    (await sql<{ id: number }>`${sql.raw(filled(query))}`.execute(server.application.db)).rows.map(({ id }) => id);

  before(async () => {
    server = await TestServer.start({ INSTRUCTOR_SCOPE: 'classes', REQUESTS_PER_MINUTE: '100000' });
    const { db } = server.application;
    const assessment = { title: 'Subject', container_image: 'image', passing_score: 2 };
    const exam = await db
      .insertInto('assessments')
      .values({ kind: 'exam', ...assessment, slug: 'exam', time_limit_minutes: 60 })
      .returning('id')
      .executeTakeFirstOrThrow();
    const laboratory = await db
      .insertInto('assessments')
      .values({ kind: 'laboratory', ...assessment })
      .returning('id')
      .executeTakeFirstOrThrow();
    const made = await sql<{ id: number }>`insert into users (username, email, password_hash, full_name)
      ${sql.raw(users)} returning id`.execute(db);
    Object.assign(values, {
      exam: exam.id,
      laboratory: laboratory.id,
      user: Math.min(...made.rows.map(({ id }) => id)),
    });
    await sql.raw(filled(attempts)).execute(db);
    for (const [who, size] of Object.entries(sizes) as [Who, number][]) {
      const instructor = await server.user('instructor');
      instructors[who] = instructor;
      values[who] = instructor.id;
      // Two classes that share half of their students. The instructor is an assistant in one of them.
      for (const [role, from, to] of [
        ['instructor', 0, 0.75 * size],
        ['assistant', 0.25 * size, size],
      ] as const) {
        const { id } = await db.insertInto('classes').values({ name: who }).returning('id').executeTakeFirstOrThrow();
        await db.insertInto('class_members').values({ class_id: id, user_id: instructor.id, role }).execute();
        await sql`insert into class_members (class_id, user_id, role)
          select ${id}::int, ${values['user']}::int + n, 'student' from generate_series(${from}::int, ${to - 1}::int) n`.execute(
          db,
        );
      }
    }
    await sql`analyze`.execute(db);
  });
  after(() => server[Symbol.asyncDispose]());

  /** The first pages by their links, at most three. */
  async function listed(path: string, { token }: TestUser, rows: (body: unknown) => number[]) {
    const all: number[] = [];
    const totals = new Set<string | null>();
    for (let url: string | undefined = path; url !== undefined && all.length < shown; ) {
      const { status, body, text, headers } = await server.get(url, token);
      assert.equal(status, 200, text);
      all.push(...rows(body));
      totals.add(`${headers.get('x-total-count')}${headers.has('x-total-is-minimum') ? '+' : ''}`);
      url = /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
    }
    return { all, totals: [...totals] };
  }
  const told = (rows: number): string => (rows > 10_000 ? '10000+' : `${rows}`);
  const ids = (body: unknown) => (body as { id: number }[]).map(({ id }) => id);

  for (const who of Object.keys(sizes) as Who[]) {
    it(`have exactly the attempts of ${sizes[who]} students, with their number`, async () => {
      for (const [query, condition] of filters) {
        const expected = await numbers(
          `select id from attempts where ${condition} and user_id in (${seen(who)}) order by id desc`,
        );
        const { all, totals } = await listed(
          filled(`/api/instructor/attempts?page_size=100&${query}`),
          instructors[who],
          ids,
        );
        assert.deepEqual(all, expected.slice(0, shown), query);
        assert.deepEqual(totals, [told(expected.length)], query);
        const last = Math.max(1, Math.ceil(expected.length / 100));
        for (const page of new Set([Math.ceil(last / 2), last])) {
          const url = filled(`/api/instructor/attempts?page_size=100&page=${page}&${query}`);
          const { body } = await server.get(url, instructors[who].token);
          assert.deepEqual(ids(body), expected.slice(100 * (page - 1), 100 * page), url);
        }
      }
    });
  }

  it('have exactly the attempts of the students of a class in another order', async () => {
    const cases = (['few', 'most'] as const).flatMap((who) =>
      (['asc', 'desc'] as const).map((order) => ({ who, order })),
    );
    for (const [sort, key] of [
      ['username', 'lower((select username from users where users.id = user_id))'],
      ['score', 'coalesce(score, -1)'],
      ['status', 'status'],
    ] as const)
      for (const { who, order } of cases) {
        const [query, condition] = order === 'asc' ? ['', 'true'] : ['kind=exam', "kind = 'exam'"];
        const expected = await numbers(`select id from attempts where ${condition} and user_id in (${seen(who)})
          order by ${key} ${order}, id ${order}`);
        const path = `/api/instructor/attempts?page_size=100&sort=${sort}&order=${order}&${query}`;
        const { all, totals } = await listed(path, instructors[who], ids);
        assert.deepEqual(all, expected.slice(0, shown), path);
        assert.deepEqual(totals, [told(expected.length)], path);
      }
  });

  it('have exactly the students of a grade book, and their number', async () => {
    for (const who of Object.keys(sizes) as Who[]) {
      for (const [search, condition] of [
        ['', 'true'],
        ['&search=upil-1', "username like '%upil-1%'"],
      ] as const) {
        const expected = await numbers(`select id from users where ${condition} and id in (${seen(who)})
          and id in (select user_id from attempts where kind = 'exam' and assessment_id = $exam) order by lower(username), id`);
        const path = `/api/instructor/exams/${values['exam']}/grade-book?page_size=100${search}`;
        const { all, totals } = await listed(path, instructors[who], (body) =>
          (body as { students: { user_id: number }[] }).students.map(({ user_id }) => user_id),
        );
        assert.deepEqual(all, expected.slice(0, shown), path);
        assert.deepEqual(totals, [told(expected.length)]);
      }
      const { body } = await server.get('/api/instructor/subjects', instructors[who].token);
      const [counted] = await numbers(`select count(distinct user_id)::int as id from attempts
        where kind = 'exam' and assessment_id = $exam and user_id in (${seen(who)})`);
      assert.deepEqual(body.map(({ kind, students }: Record<string, unknown>) => [kind, students])[0], [
        'exam',
        counted,
      ]);
    }
  });

  it('are exported whole', async () => {
    for (const who of Object.keys(sizes) as Who[]) {
      const expected = await numbers(
        `select id from attempts where kind = 'exam' and assessment_id = $exam and user_id in (${seen(who)}) order by id desc`,
      );
      const { text } = await server.get(
        `/api/instructor/attempts/export?exam_id=${values['exam']}`,
        instructors[who].token,
      );
      const [, ...lines] = text.trimEnd().split('\r\n');
      assert.deepEqual(
        lines.map((line) => Number(line.split(',')[0])),
        expected,
      );
    }
  });
});
