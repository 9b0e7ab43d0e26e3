import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { finishAttempt } from '../finished-attempt.ts';
import { makeAssessment } from '../made-assessment.ts';
import { itInRounds, rounds } from '../rounds.ts';
import { TestServer, type TestUser } from '../server.ts';
import { until } from '../until.ts';

/** Each process keeps the answers to `GET /api/dashboard/stats`. Both must answer as of the last change, whatever has made it. */
describe('the figures of a user in two processes', () => {
  let database: TestDatabase;
  let server: TestServer;
  let admin: TestUser;
  let themes: number[];
  let section: number;
  let exam: number;
  before(async () => {
    database = await createTestDatabase();
    // Statements call this clock, which a test moves.
    const { connectionString } = database.address;
    const client = new pg.Client(database.address);
    await client.connect();
    await client.query(`create schema clock
      create table ahead (by interval not null)`);
    await client.query(`insert into clock.ahead values ('0')`);
    await client.query(`create function clock.now() returns timestamptz language sql stable as
      'select pg_catalog.now() + (select by from clock.ahead)'`);
    await client.end();
    const address = { connectionString: `${connectionString}?options=-c%20search_path%3Dclock,pg_catalog,public` };
    server = await TestServer.start({}, { database: address }, 2);
    admin = await server.user('admin');
    const id = async (kind: string, fields: object): Promise<number> =>
      (await server.post(`/api/admin/lessons/${kind}`, admin.token, fields)).body.id;
    const course_id = await id('courses', { name: 'Course' });
    section = await id('sections', { name: 'Section', course_id });
    const theme = { section_id: section, markdown_file_path: 'x.md', duration_minutes: 10 };
    themes = [];
    for (const title of ['One', 'Two', 'Three', 'Four']) themes.push(await id('themes', { title, ...theme }));
    exam = await makeAssessment(server, admin, 'exam', ['echo PASS'], { course_id });
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    await database?.[Symbol.asyncDispose]();
  });

  const query = async (text: string) => await sql.raw(text).execute(server.application.db);
  async function on(index: number, method: string, path: string, { token }: TestUser) {
    const response = await fetch(`${server.urls[index]}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}` },
    });
    assert.equal(response.status, 200, `${method} ${path}`);
    // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary answers
    return (await response.json()) as any;
  }
  /** The same figures, of both processes. */
  async function figures(user: TestUser) {
    const [one, two] = await Promise.all([0, 1].map((index) => on(index, 'GET', '/api/dashboard/stats', user)));
    assert.deepEqual(one, two);
    return one;
  }
  const theme = (at: number): string => `/api/lessons/themes/${themes[at]}`;

  itInRounds('have a completion, and its removal, as soon as either process has answered', async () => {
    const user = await server.user();
    for (let round = 0; round < rounds(20, 200, 4); round += 1) {
      const here = round % 2;
      const before = await figures(user);
      await on(here, 'POST', `${theme(0)}/complete`, user);
      const { completed_themes, minutes_learned, current_streak_days } = await figures(user);
      assert.deepEqual([completed_themes, minutes_learned, current_streak_days], [1, 10, 1], `round ${round}`);
      await on((here + 1) % 2, 'DELETE', `${theme(0)}/complete`, user);
      assert.deepEqual(await figures(user), before, `round ${round}`);
    }
  });

  itInRounds('have every completion of many that are answered while others read', async () => {
    for (let round = 0; round < rounds(5, 50, 1); round += 1) {
      const user = await server.user();
      const completions = themes.map(async (_, at) => {
        await on(at % 2, 'POST', `${theme(at)}/complete`, user);
        const { completed_themes } = await on((at + 1) % 2, 'GET', '/api/dashboard/stats', user);
        assert.ok(completed_themes >= 1);
      });
      await Promise.all([...completions, figures(user).catch(() => {}), figures(user).catch(() => {})]);
      assert.equal((await figures(user)).completed_themes, themes.length, `round ${round}`);
    }
  });

  it('have changes of rows that no request has made', async () => {
    const user = await server.user();
    const own = `user_id = ${user.id}`;
    const day = `now() - interval '1 day'`;
    const steps: [change: string, name: string, value: number][] = [
      [`insert into theme_progress values (${user.id}, ${themes[0]}, true, ${day})`, 'completed_themes', 1],
      [`update theme_progress set completed_at = now() where ${own}`, 'current_streak_days', 1],
      [`insert into theme_progress values (${user.id}, ${themes[1]}, true, ${day})`, 'current_streak_days', 2],
      [`delete from theme_progress where ${own} and theme_id = ${themes[1]}`, 'current_streak_days', 1],
      [`update theme_progress set completed = false, completed_at = null where ${own}`, 'completed_themes', 0],
      [`insert into theme_progress values (${user.id}, ${themes[2]}, true, now())`, 'minutes_learned', 10],
      ['truncate theme_progress', 'completed_themes', 0],
      [
        `insert into containers (name, user_id, kind, image, slot, status) values ('c', ${user.id}, 'sandbox', 'x', 1, 'creating')`,
        ...(['active_containers', 1] as const),
      ],
      [`update containers set status = 'removing' where ${own}`, 'active_containers', 0],
    ];
    for (const [change, name, value] of steps) {
      await figures(user);
      await query(change);
      assert.equal((await figures(user))[name], value, change);
    }
  });

  it('have attempts, their grades, and their removal', async () => {
    const user = await server.user();
    assert.equal((await figures(user)).exams_attempted, 0);
    const attempt = await finishAttempt(server, user, 'exam', exam, [true]);
    const { exams_attempted, exams_passed, average_score_percent } = await figures(user);
    assert.deepEqual([exams_attempted, exams_passed, average_score_percent], [1, 1, 100]);
    await query(`update attempts set score = 0, passed = false where id = ${attempt}`);
    assert.deepEqual([(await figures(user)).exams_passed, (await figures(user)).average_score_percent], [0, 0]);
    await query(
      `update attempts set status = 'abandoned', submitted_at = null, score = null, passed = null where id = ${attempt}`,
    );
    assert.equal((await figures(user)).longest_streak_days, 0);
    await query(`delete from attempts where id = ${attempt}`);
    assert.equal((await figures(user)).exams_attempted, 0);
  });

  it('have results from the moment on which their session shows them, without any change', async () => {
    const user = await server.user();
    const attempt = await finishAttempt(server, user, 'exam', exam, [true]);
    const { rows } = await sql<{ id: number }>`
      insert into exam_sessions (exam_id, title, opens_at, closes_at, results_visible)
      values (${exam}, 'Session', pg_catalog.now() - interval '1 hour', pg_catalog.now() + interval '1 hour', 'after_close')
      returning id`.execute(server.application.db);
    await query(`update attempts set session_id = ${rows[0]?.id} where id = ${attempt}`);
    assert.deepEqual([(await figures(user)).exams_attempted, (await figures(user)).exams_passed], [1, 0]);
    await query(
      `update exam_sessions set closes_at = pg_catalog.clock_timestamp() + interval '300 ms' where id = ${rows[0]?.id}`,
    );
    await until(async () => (await figures(user).catch(() => undefined))?.exams_passed === 1, 'the results are shown');
  });

  it('have changes of the catalogue that another process has answered, and another role', async () => {
    const user = await server.user();
    await on(0, 'POST', `${theme(0)}/complete`, user);
    const shown = async () => {
      const { completed_themes, total_themes, minutes_learned, percent } = await figures(user);
      return [completed_themes, total_themes, minutes_learned, percent];
    };
    assert.deepEqual(await shown(), [1, 4, 10, 25]);
    await on(1, 'PUT', `/api/admin/lessons/themes/${themes[0]}?duration_minutes=30`, admin);
    assert.deepEqual(await shown(), [1, 4, 30, 25]);
    await on(0, 'PUT', `/api/admin/lessons/sections/${section}?is_active=false`, admin);
    assert.deepEqual(await shown(), [0, 0, 0, 0]);
    await on(1, 'PUT', `/api/admin/users/${user.id}/role?role=admin`, admin);
    assert.deepEqual(await shown(), [1, 4, 30, 25]);
    await on(0, 'PUT', `/api/admin/users/${user.id}/role?role=student`, admin);
    await on(0, 'PUT', `/api/admin/lessons/sections/${section}?is_active=true`, admin);
    const gone = themes.shift();
    await on(1, 'DELETE', `/api/admin/lessons/themes/${gone}`, admin);
    assert.deepEqual(await shown(), [0, 3, 0, 0]);
  });

  it('do not outlive the day', async () => {
    const user = await server.user();
    await on(0, 'POST', `${theme(0)}/complete`, user);
    const streaks = async () => {
      const { current_streak_days, longest_streak_days } = await figures(user);
      return [current_streak_days, longest_streak_days];
    };
    assert.deepEqual(await streaks(), [1, 1]);
    await query(`update clock.ahead set by = '1 day'`);
    assert.deepEqual(await streaks(), [1, 1], 'a day without a completion is not over yet');
    await query(`update clock.ahead set by = '2 days'`);
    assert.deepEqual(await streaks(), [0, 1]);
    await query(`update clock.ahead set by = '0'`);
  });

  it('are answered from memory as long as nothing changes', async () => {
    const user = await server.user();
    const path = `${server.urls[0]}/api/dashboard/stats`;
    const headers = { authorization: `Bearer ${user.token}` };
    const first = await fetch(path, { headers });
    const tag = first.headers.get('etag') ?? '';
    // The figures statement itself would now fail.
    await query('alter table theme_progress rename column completed_at to moved');
    try {
      const second = await fetch(path, { headers });
      assert.deepEqual([second.status, await second.json()], [200, await first.json()]);
      assert.equal((await fetch(path, { headers: { ...headers, 'if-none-match': tag } })).status, 304);
    } finally {
      await query('alter table theme_progress rename column moved to completed_at');
    }
  });
});
