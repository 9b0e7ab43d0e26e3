import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { describeLong } from '../rounds.ts';
import { TestServer, type TestUser } from '../server.ts';

const dayLength = 86_400_000;
const today = () => Math.floor(Date.now() / dayLength) * dayLength;
/** A moment of a day in UTC. */
const moment = (daysAgo: number, milliseconds = 0) => new Date(today() - daysAgo * dayLength + milliseconds);
const dateOf = (daysAgo: number) => moment(daysAgo).toISOString().slice(0, 10);

const zeros = {
  completed_themes: 0,
  total_themes: 6,
  percent: 0,
  exams_passed: 0,
  exams_attempted: 0,
  average_score_percent: null,
  laboratories_passed: 0,
  minutes_learned: 0,
  current_streak_days: 0,
  longest_streak_days: 0,
  active_containers: 0,
};

describe('the dashboard', () => {
  let database: TestDatabase;
  let server: TestServer;
  let themes: number[];
  let exams: number[];
  let laboratory: number;
  let courses: number[];

  before(async () => {
    // Days are UTC's wherever the database thinks it is.
    database = await createTestDatabase();
    const connectionString = `${database.address.connectionString}?options=-c%20TimeZone%3DPacific/Auckland`;
    server = await TestServer.start({}, { database: { connectionString } });
    const { db } = server.application;
    const zone = await sql<{ TimeZone: string }>`show timezone`.execute(db);
    assert.equal(zone.rows[0]?.TimeZone, 'Pacific/Auckland');
    const insertedCourses = await db
      .insertInto('courses')
      .values([
        { name: 'Second', slug: 'second', order_index: 2 },
        { name: 'First', slug: 'first', order_index: 1 },
        { name: 'Hidden', slug: 'hidden', order_index: 0, is_active: false },
        { name: 'Empty', slug: 'empty', order_index: 3 },
      ])
      .returning('id')
      .execute();
    courses = insertedCourses.map(({ id }) => id);
    const sections = await db
      .insertInto('sections')
      .values([
        ...courses.slice(0, 3).map((course_id) => ({ course_id, name: 'One', slug: 'one' })),
        { course_id: courses[0] ?? 0, name: 'Closed', slug: 'closed', is_active: false },
      ])
      .returning('id')
      .execute();
    const insertedThemes = await db
      .insertInto('themes')
      .values(
        sections.flatMap(({ id }) =>
          [1, 2, 3].map((number) => ({
            section_id: id,
            title: `Theme ${number}`,
            slug: `theme-${number}`,
            markdown_file_path: 'x.md',
            duration_minutes: 10 * number,
          })),
        ),
      )
      .returning('id')
      .execute();
    themes = insertedThemes.map(({ id }) => id);
    const exam = { kind: 'exam' as const, container_image: 'x', time_limit_minutes: 60, passing_score: 5 };
    const insertedExams = await db
      .insertInto('assessments')
      .values([
        { title: 'A', ...exam },
        { title: 'B', ...exam },
      ])
      .returning('id')
      .execute();
    exams = insertedExams.map(({ id }) => id);
    const made = await db
      .insertInto('assessments')
      .values({ kind: 'laboratory', title: 'L', container_image: 'x', passing_score: 5 })
      .returning('id')
      .executeTakeFirstOrThrow();
    laboratory = made.id;
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
  });

  const stats = async (user: TestUser) => (await server.get('/api/dashboard/stats', user.token)).body;

  async function complete(user: TestUser, theme: number, at: Date): Promise<void> {
    await server.application.db
      .insertInto('theme_progress')
      .values({ user_id: user.id, theme_id: themes[theme] ?? 0, completed: true, completed_at: at })
      .execute();
  }

  let attempts = 0;
  type Assessment = { exam_id: number | null } | { laboratory_id: number | null };
  async function attempt(user: TestUser, assessment: Assessment, score: number | null, at: Date, max = 10) {
    attempts += 1;
    const kind = 'exam_id' in assessment ? ('exam' as const) : ('laboratory' as const);
    const result =
      score === null
        ? ({ status: 'abandoned' } as const)
        : ({ status: 'finished', score, passed: score >= 5, submitted_at: at } as const);
    const { id } = await server.application.db
      .insertInto('attempts')
      .values({
        kind,
        assessment_id: 'exam_id' in assessment ? assessment.exam_id : assessment.laboratory_id,
        ...result,
        user_id: user.id,
        title: `Attempt of ${JSON.stringify(assessment)}`,
        container_name: `attempt-${attempts}`,
        started_at: at,
        expires_at: new Date(at.getTime() + dayLength),
        max_score: max,
        passing_score: 5,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  it('is all zeros for a user without activity', async () => {
    const user = await server.user();
    assert.deepEqual(await stats(user), zeros);
    const { body } = await server.get('/api/dashboard/analytics', user.token);
    assert.equal(body.days.length, 30);
    assert.deepEqual(body.scores, []);
    assert.ok(body.courses.every(({ percent }: { percent: number }) => percent === 0));
  });

  // Long: what is counted is prepared first.
  it("counts only the caller's activity", async () => {
    const [user, other] = [await server.user(), await server.user()];
    // Of the first course all three; a theme of a hidden course and one of a closed section, which a student does not see.
    for (const theme of [0, 1, 3, 6, 9]) await complete(user, theme, moment(0));
    await complete(other, 2, moment(0));
    await server.application.db
      .insertInto('theme_progress')
      .values({ user_id: user.id, theme_id: themes[4] ?? 0, completed: false })
      .execute();
    const [examA = 0, examB = 0] = exams;
    await attempt(user, { exam_id: examA }, 4, moment(0));
    await attempt(user, { exam_id: examA }, 10, moment(0));
    await attempt(user, { exam_id: examA }, 7, moment(0));
    await attempt(user, { exam_id: examB }, null, moment(0));
    // Two attempts of an exam that was deleted since are one exam still; one without points has no percentage.
    await attempt(user, { exam_id: null }, 6, moment(0));
    await attempt(user, { exam_id: null }, 0, moment(0), 0);
    await attempt(user, { laboratory_id: laboratory }, 9, moment(0));
    await attempt(user, { laboratory_id: laboratory }, 9, moment(0));
    await attempt(other, { exam_id: examB }, 10, moment(0));
    await server.application.db
      .insertInto('containers')
      .values(
        (['running', 'stopped', 'creating', 'running'] as const).map((status, index) => ({
          user_id: index === 3 ? other.id : user.id,
          name: `c-${user.id}-${index}`,
          kind: 'sandbox' as const,
          image: 'x',
          slot: index + 1,
          engine_ref: `gone-${index}`,
          status,
        })),
      )
      .execute();
    assert.deepEqual(await stats(user), {
      completed_themes: 3,
      total_themes: 6,
      percent: 50,
      exams_passed: 2,
      exams_attempted: 3,
      average_score_percent: 67.5,
      laboratories_passed: 1,
      minutes_learned: 10 + 20 + 10,
      current_streak_days: 1,
      longest_streak_days: 1,
      active_containers: 2,
    });
    await server.application.db.deleteFrom('containers').where('user_id', 'in', [user.id, other.id]).execute();
  });

  it('includes inactive content for administrators, like the course tree', async () => {
    const admin = await server.user('admin');
    await complete(admin, 6, moment(0));
    const { completed_themes, total_themes, percent } = await stats(admin);
    assert.deepEqual(
      { completed_themes, total_themes, percent },
      { completed_themes: 1, total_themes: 12, percent: 8.3 },
    );
    const { body } = await server.get('/api/dashboard/analytics', admin.token);
    const tree = (await server.get('/api/lessons/courses', admin.token)).body;
    type Progress = { completed_themes: number; total_themes: number; percent: number };
    const figures = (id: number, progress: Progress) => [
      id,
      progress.completed_themes,
      progress.total_themes,
      progress.percent,
    ];
    const ofTree = tree.map(({ id, progress }: { id: number; progress: Progress }) => figures(id, progress));
    const shown = body.courses.map((course: Progress & { course_id: number }) => figures(course.course_id, course));
    assert.deepEqual(shown, ofTree);
    assert.equal(ofTree.length, 4);
  });

  const streakCases: [name: string, daysAgo: number[], current: number, longest: number][] = [
    ['today alone', [0], 1, 1],
    ['yesterday alone, since today is not over', [1], 1, 1],
    ['the day before yesterday is too long ago', [2], 0, 1],
    ['three days until yesterday', [3, 2, 1], 3, 3],
    ['a gap ends a streak', [0, 1, 3, 4, 5], 2, 3],
    ['a longer one long ago', [0, 40, 41, 42, 43], 1, 4],
    ['several themes on one day are one day', [0, 0, 1, 1], 2, 2],
  ];
  for (const [name, daysAgo, current, longest] of streakCases) {
    it(`finds streaks: ${name}`, async () => {
      const user = await server.user();
      for (const [theme, days] of daysAgo.entries()) await complete(user, theme, moment(days));
      const { current_streak_days, longest_streak_days } = await stats(user);
      assert.deepEqual([current_streak_days, longest_streak_days], [current, longest]);
    });
  }

  it('counts streaks in UTC from themes and attempts together', async () => {
    const user = await server.user();
    await complete(user, 0, moment(3, 0));
    await attempt(user, { exam_id: exams[0] ?? 0 }, 0, moment(2, dayLength - 1));
    await complete(user, 1, moment(1, dayLength - 1));
    const { current_streak_days, longest_streak_days } = await stats(user);
    assert.deepEqual([current_streak_days, longest_streak_days], [3, 3]);
    // An attempt that was abandoned is no day of learning.
    await attempt(user, { exam_id: exams[0] ?? 0 }, null, moment(0));
    assert.equal((await stats(user)).current_streak_days, 3);
  });

  // Long: the expected days are written out.
  it('returns every day of the requested period with its scores', async () => {
    const user = await server.user();
    await complete(user, 0, moment(0));
    await complete(user, 1, moment(2, dayLength - 1));
    await complete(user, 2, moment(2, 0));
    await complete(user, 3, moment(7, 0));
    await complete(user, 4, moment(7, -1));
    const old = await attempt(user, { exam_id: exams[0] ?? 0 }, 3, moment(7, -1));
    const second = await attempt(user, { laboratory_id: laboratory }, 10, moment(1, 5));
    const first = await attempt(user, { exam_id: exams[1] ?? 0 }, 2, moment(1, 4), 3);
    const { status, body } = await server.get('/api/dashboard/analytics?days=8', user.token);
    assert.equal(status, 200);
    assert.deepEqual(
      body.days,
      [7, 6, 5, 4, 3, 2, 1, 0].map((daysAgo) => ({
        date: dateOf(daysAgo),
        themes_completed: { 0: 1, 2: 2, 7: 1 }[daysAgo] ?? 0,
        attempts_submitted: daysAgo === 1 ? 2 : 0,
      })),
    );
    assert.deepEqual(
      body.scores.map((score: { attempt_id: number }) => score.attempt_id),
      [first, second],
    );
    assert.deepEqual(body.scores[0], {
      attempt_id: first,
      kind: 'exam',
      exam_id: exams[1],
      laboratory_id: null,
      title: `Attempt of ${JSON.stringify({ exam_id: exams[1] })}`,
      score: 2,
      max_score: 3,
      percent: 66.6,
      passed: false,
      submitted_at: moment(1, 4).toISOString(),
    });
    assert.deepEqual(
      body.courses.map((course: object) => Object.values(course)),
      [
        [courses[1], 'First', 2, 3, 66.6],
        [courses[0], 'Second', 3, 3, 100],
        [courses[3], 'Empty', 0, 0, 0],
      ],
    );
    const wide = (await server.get('/api/dashboard/analytics?days=365', user.token)).body;
    assert.equal(wide.days.length, 365);
    assert.equal(new Set(wide.days.map(({ date }: { date: string }) => date)).size, 365);
    assert.equal(wide.scores[0].attempt_id, old);
    const narrow = (await server.get('/api/dashboard/analytics?days=1', user.token)).body;
    assert.deepEqual(narrow.days, [{ date: dateOf(0), themes_completed: 1, attempts_submitted: 0 }]);
  });

  it('refuses an invalid number of days', async () => {
    const { token } = await server.user();
    for (const days of ['0', '366', '-1', 'week', '1.5', '']) {
      const { status, body } = await server.get(`/api/dashboard/analytics?days=${days}`, token);
      assert.equal(status, 422, days);
      assert.deepEqual(body.detail[0].loc, ['query', 'days']);
    }
    assert.equal((await server.get('/api/dashboard/activity?page_size=101', token)).status, 422);
  });

  it("lists the caller's activity, newest first, in pages", async () => {
    const [user, other] = [await server.user(), await server.user()];
    for (const theme of [0, 1, 2]) {
      assert.equal((await server.post(`/api/lessons/themes/${themes[theme]}/complete`, user.token)).status, 200);
    }
    // Only administrators see the actions of administrators on a user.
    await server.application.db.insertInto('activity_log').values({ user_id: user.id, type: 'user_role' }).execute();
    const all = await server.get('/api/dashboard/activity', user.token);
    assert.equal(all.status, 200);
    assert.equal(all.headers.get('x-total-count'), '4');
    assert.deepEqual(
      all.body.map(({ type, title, entity_type, entity_id }: Record<string, unknown>) => [
        type,
        title,
        entity_type,
        entity_id,
      ]),
      [
        ['lesson_complete', 'Theme 3', 'theme', themes[2]],
        ['lesson_complete', 'Theme 2', 'theme', themes[1]],
        ['lesson_complete', 'Theme 1', 'theme', themes[0]],
        ['register', user.username, 'user', user.id],
      ],
    );
    assert.ok(all.body.every(({ id }: { id: unknown }) => Number.isInteger(id)));
    assert.match(all.body[0].created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const page = await server.get('/api/dashboard/activity?page=2&page_size=3', user.token);
    assert.deepEqual(page.body, all.body.slice(3));
    assert.match(page.headers.get('link') ?? '', /cursor=[^>]*>; rel="prev"/);
    assert.equal((await server.get('/api/dashboard/activity', other.token)).body.length, 1);
  });

  it("exports the caller's whole activity as a CSV with escaped formulas, newest first", async () => {
    const [user, other] = [await server.user(), await server.user()];
    const { db } = server.application;
    // With the registration and the exam they are two full parts of the export.
    const machines = sql`insert into activity_log (user_id, type, title, created_at)
      select ${user.id}, 'container_create', 'machine-' || n, '2026-01-01T00:00:00Z' from generate_series(1, 1998) n`;
    await machines.execute(db);
    const log = (user_id: number, type: string, title: string) =>
      db.insertInto('activity_log').values({ user_id, type, title }).execute();
    await log(user.id, 'exam_start', '=1+1, "quoted"');
    await log(user.id, 'user_role', 'Only for administrators');
    await log(other.id, 'exam_start', 'Of somebody else');
    const { status, text, headers } = await server.get('/api/dashboard/activity/export', user.token);
    assert.equal(status, 200, text);
    assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8');
    assert.equal(headers.get('content-disposition'), 'attachment; filename="activity.csv"');
    const [head, first, ...rest] = text.split('\r\n');
    assert.equal(head, 'time,type,title');
    assert.match(first ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z,exam_start,"'=1\+1, ""quoted"""$/);
    const machine = (n: number) => `2026-01-01T00:00:00.000Z,container_create,machine-${n}`;
    assert.deepEqual(
      rest.slice(0, 1998),
      Array.from({ length: 1998 }, (_, index) => machine(1998 - index)),
    );
    assert.match(rest[1998] ?? '', new RegExp(`,register,${user.username}$`));
    assert.deepEqual(rest.slice(1999), ['']);
  });

  it('gives concurrent callers their own figures, with what they have just completed', async () => {
    const users = await Promise.all(Array.from({ length: 12 }, () => server.user()));
    for (const count of [0, 1, 2, 3]) {
      for (const [index, user] of users.entries())
        if (count > 0 && index % 4 >= count) await complete(user, count - 1, moment(0));
      const figures = await Promise.all(users.map(stats));
      assert.deepEqual(
        figures.map(({ completed_themes }) => completed_themes),
        users.map((_, index) => Math.min(index % 4, count)),
      );
    }
  });

  it('requires a token', async () => {
    for (const name of ['stats', 'activity', 'activity/export', 'analytics']) {
      const { status, body, code } = await server.get(`/api/dashboard/${name}`);
      assert.deepEqual([status, code, body], [401, 'unauthorized', { detail: 'Not authenticated' }]);
    }
  });
});

type Plan = { 'Node Type': string; 'Relation Name'?: string; Plans?: Plan[] };

const scansOf = (plan: Plan): string[] => [
  ...(plan['Node Type'].includes('Seq Scan') ? [plan['Relation Name'] ?? ''] : []),
  ...(plan.Plans ?? []).flatMap(scansOf),
];

describeLong('what the dashboard and the tree of courses cost', () => {
  // Long: most of it fills the tables.
  it('is independent of the number of users: a fixed number of statements without scans of growing tables', async () => {
    await using server = await TestServer.start({}, {}, 1);
    const { db } = server.application;
    const user = await server.user();
    for (const statement of seed) await sql.raw(statement).execute(db);
    const statements: [text: string, values: unknown[]][] = [];
    // Only statements of requests: background work continues meanwhile.
    const inRequest = new AsyncLocalStorage<true>();
    server.application.app.server.prependListener('request', () => inRequest.enterWith(true));
    const original = pg.Client.prototype.query;
    pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
      const [first, second] = args;
      const { text, values } =
        typeof first === 'string' ? { text: first, values: second } : (first as { text?: string; values?: unknown });
      if (inRequest.getStore() && text !== undefined) statements.push([text, Array.isArray(values) ? values : []]);
      return Reflect.apply(original, this, args);
    } as typeof original;
    const routes: [method: string, path: string, statements: number][] = [
      ['GET', '/api/dashboard/stats', 1],
      ['GET', '/api/dashboard/activity?page=3&page_size=5', 1],
      ['GET', '/api/dashboard/activity/export', 1],
      ['GET', '/api/dashboard/analytics?days=365', 3],
      ['GET', '/api/lessons/courses', 1],
      ['GET', '/api/lessons/themes/7', 1],
      ['POST', '/api/lessons/themes/7/complete', 1],
      ['DELETE', '/api/lessons/themes/7/complete', 1],
    ];
    // The catalogue, and what opens later, is in memory after the first request.
    assert.equal((await server.get('/api/lessons/courses', user.token)).status, 200);
    assert.equal((await server.get('/api/openings', user.token)).status, 200);
    try {
      for (const [method, path, expected] of routes) {
        statements.length = 0;
        const { status, text } = await server.request(method, path, { token: user.token });
        assert.equal(status, 200, text);
        // Whether the caller is known already is the affair of authentication.
        const own = statements.filter(([statement]) => !statement.includes('from "users"'));
        assert.equal(own.length, expected, `${path}:\n${own.join('\n')}`);
        for (const [statement, values] of [...statements]) {
          const { rows } = await explain(server, statement, values);
          const scanned = scansOf(rows[0]['QUERY PLAN'][0].Plan);
          for (const table of ['theme_progress', 'attempts', 'activity_log', 'containers', 'users']) {
            assert.ok(!scanned.includes(table), `${path} scans ${table}: ${statement}`);
          }
        }
      }
      // The check itself sees a scan where there is one.
      const { rows } = await explain(server, 'select count(*) from theme_progress where completed', []);
      assert.deepEqual(scansOf(rows[0]['QUERY PLAN'][0].Plan), ['theme_progress']);
    } finally {
      pg.Client.prototype.query = original;
    }
  });
});

async function explain(server: TestServer, statement: string, values: unknown[]) {
  return await server.application.db.connection().execute(async (connection) => {
    const query = sql.raw(`explain (format json) ${statement}`).compile(connection);
    // biome-ignore lint/suspicious/noExplicitAny: a plan is a tree of arbitrary nodes
    return await connection.executeQuery<any>({ ...query, parameters: values });
  });
}

/** 2,000 users beside the caller, with 40,000 completed themes, 10,000 attempts, 40,000 entries and 4,000 containers. */
const seed = [
  `insert into courses (name, slug) select 'Course ' || n, 'course-' || n from generate_series(1, 5) n`,
  `insert into sections (course_id, name, slug) select id, 'Section ' || n, 'section-' || n from courses, generate_series(1, 2) n`,
  `insert into themes (section_id, title, slug, markdown_file_path)
    select id, 'Theme ' || n, 'theme-' || n, 'x.md' from sections, generate_series(1, 5) n`,
  `insert into users (username, email, password_hash) select 'u' || n || 'x', n || '@example.com', 'x' from generate_series(1, 2000) n`,
  `insert into theme_progress select users.id, themes.id, true, now() - themes.id * interval '1 day' from users, themes where themes.id % 5 < 2`,
  `insert into attempts (kind, user_id, title, container_name, status, expires_at, submitted_at, score, max_score, passing_score, passed)
    select 'exam', id, 'Exam', 'c-' || id || '-' || n, 'finished', now(), now() - n * interval '1 day', 5, 10, 5, true
    from users, generate_series(1, 5) n`,
  `insert into activity_log (user_id, type, title) select id, 'lesson_complete', 'Theme' from users, generate_series(1, 20)`,
  `insert into containers (name, user_id, kind, image, slot, status)
    select 'c-' || id || '-' || n, id, 'sandbox', 'x', n, 'creating' from users, generate_series(1, 2) n`,
  'analyze',
];
