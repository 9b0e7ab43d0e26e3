import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { sql } from 'kysely';
import { Demonstration, fillNow } from '../demonstration.ts';
import { describeLong } from '../rounds.ts';
import type { Answer, TestUser } from '../server.ts';
import { assertAccessible } from './axe.ts';
import { browserSkip, Visitors } from './browser.ts';
import { phone } from './page-pool.ts';

/** Sums the layout shifts of a page, from its beginning. */
function countShifts(): void {
  const sum = globalThis as unknown as { moved: number };
  sum.moved = 0;
  new PerformanceObserver((list) => {
    const shifts = list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[];
    for (const { value, hadRecentInput } of shifts) sum.moved += hadRecentInput ? 0 : value;
  }).observe({ type: 'layout-shift', buffered: true });
}

describeLong('the data of a demonstration', () => {
  let school: Demonstration;
  let instructor: TestUser;
  let classId: number;
  const get = async (path: string, user: TestUser): Promise<Answer['body']> => {
    const { status, body, text } = await school.server.get(path, user.token);
    assert.equal(status, 200, text);
    return body;
  };

  before(async () => {
    school = await Demonstration.open();
    instructor = await school.as(school.filled.classes[0]?.instructor.username ?? '');
    const [own] = (await get('/api/classes?page_size=10', instructor)).filter(
      ({ my_role }: { my_role: string | null }) => my_role === 'instructor',
    );
    classId = own.id;
  });
  after(() => school?.[Symbol.asyncDispose]());

  const impossible: [string, string][] = [
    [
      'an attempt that ends before it starts, or in the future',
      `attempts where submitted_at <= started_at or submitted_at > now()`,
    ],
    ['an attempt after its deadline', `attempts where submitted_at > expires_at`],
    [
      'an attempt outside of its session',
      `attempts join exam_sessions as s on s.id = session_id
        left join exam_accommodations as own on own.session_id = s.id and own.user_id = attempts.user_id
        where started_at < s.opens_at or expires_at > greatest(s.closes_at, own.closes_at)`,
    ],
    [
      'an attempt of somebody else than a student of the class',
      `attempts join exam_sessions as s on s.id = session_id where not exists (select from class_members as m
        where m.class_id = s.class_id and m.user_id = attempts.user_id and m.role = 'student')`,
    ],
    [
      'a score that is not the sum of the results',
      `attempts where score <> (select sum(points_earned) from task_results where attempt_id = attempts.id)`,
    ],
    ['progress in the future', `theme_progress where completed_at > now()`],
    [
      'progress in a course of another class',
      `theme_progress as p join themes on themes.id = theme_id join sections on sections.id = section_id
        where not exists (select from class_members join class_courses using (class_id)
          where user_id = p.user_id and class_courses.course_id = sections.course_id)`,
    ],
    ['activity in the future', `activity_log where created_at > now()`],
    ['an exam session that was planned in the future', `exam_sessions where created_at > now()`],
    [
      'activity out of order',
      `(select created_at, lag(created_at) over (order by id) as before from activity_log) as entries where created_at < before`,
    ],
    [
      'an announcement that was read before it was shown',
      `announcements join announcement_reads on announcement_id = id where read_at < shows_from`,
    ],
    ['an access code', `exam_sessions where access_code_hash is not null`],
  ];
  it('has nothing that could not have happened', async () => {
    for (const [what, rows] of impossible) {
      const { rows: found } = await sql.raw(`select * from ${rows} limit 3`).execute(school.server.application.db);
      assert.deepEqual(found, [], what);
    }
  });

  it('fills the pages of a class', async () => {
    const { length } = await get(`/api/classes/${classId}/members?page_size=100`, instructor);
    assert.equal(length, 32, '30 students, an instructor and an assistant');
    const { counts } = await get(`/api/classes/${classId}/progress`, instructor);
    assert.ok(counts.not_begun >= 2 && counts.not_begun < 10, JSON.stringify(counts));
    const grades = await get(`/api/classes/${classId}/grades?page_size=100`, instructor);
    assert.equal(grades.students.length, 30);
    const sessions = await get(`/api/exam-sessions?class_id=${classId}`, instructor);
    const states = sessions.map(({ state }: { state: string }) => state);
    assert.deepEqual(states, ['upcoming', 'open', 'closed', 'closed']);
  });

  it('has an exam that runs now, with some who have finished', async () => {
    const { sessionId, workers } = school.filled.running ?? { sessionId: 0, workers: [] };
    assert.equal(workers.length, 4);
    const { session, students } = await get(`/api/exam-sessions/${sessionId}/room`, instructor);
    assert.equal(session.state, 'open');
    const statuses: string[] = students.map(({ status }: { status: string }) => status);
    assert.equal(statuses.filter((status) => status === 'finished').length >= 15, true);
    assert.equal(statuses.filter((status) => status === 'not_started').length >= 7, true);
  });

  it('has announcements to the classes and to everybody, which not everybody has read', async () => {
    const shown = await get('/api/announcements', instructor);
    const own = shown.filter(({ class_id }: { class_id: number | null }) => class_id === classId);
    assert.deepEqual([own.length, shown.length - own.length], [3, 2]);
    const student = await school.as(school.filled.classes[0]?.students[4]?.username ?? '');
    const seen = await get('/api/announcements', student);
    assert.deepEqual([seen.length, seen.some(({ is_read }: { is_read: boolean }) => is_read)], [5, true]);
  });

  it('fills the grade book, and the dashboards of students', async () => {
    const examId = school.filled.running?.examId;
    const rows = await get(`/api/instructor/exams/${examId}/grade-book?page_size=100`, instructor);
    assert.ok(rows.students.length >= 15);
    const eager = await school.as(school.filled.classes[1]?.students[3]?.username ?? '');
    const stats = await get('/api/dashboard/stats', eager);
    assert.equal(stats.exams_attempted >= 1 && stats.longest_streak_days >= 5, true, JSON.stringify(stats));
    assert.ok((await get('/api/dashboard/activity', eager)).length > 5);
    assert.ok((await get('/api/dashboard/analytics?days=30', eager)).days.length > 0);
  });

  it('is marked in the document of every page', async () => {
    const { text } = await school.server.request('GET', '/login', { headers: { accept: 'text/html' } });
    assert.match(text, /<html data-is-demonstration lang=/);
  });

  it('is marked on every page, in both languages', { skip: browserSkip }, async (t) => {
    const visitors = new Visitors(school.server);
    const page = await visitors.comeAs(t, instructor, `/classes/${classId}?tab=exams`, { viewport: phone });
    const strip = page.getByRole('complementary', { name: 'Demonstration data' });
    await strip.waitFor();
    await page.getByRole('heading', { name: 'Exam sessions' }).waitFor();
    await assertAccessible(page, 'a class of the demonstration');
    const russian = await visitors.come(t, { language: 'ru' });
    await russian.goto('/login');
    await russian.getByRole('complementary', { name: 'Демонстрационные данные' }).waitFor();
    await russian.getByLabel('Пароль').waitFor();
    await assertAccessible(russian, 'the login of the demonstration');
  });

  // Long: three roles, each with what its dashboard must have before its movement counts.
  it('opens dashboards that hardly move while they load', { skip: browserSkip }, async (t) => {
    const visitors = new Visitors(school.server);
    const { students } = await get(`/api/exam-sessions/${school.filled.running?.sessionId}/room`, instructor);
    const idle = await Promise.all(
      students
        .filter(({ status }: { status: string }) => status === 'not_started')
        .map(({ username }: { username: string }) => school.as(username)),
    );
    const isLearner = await Promise.all(
      idle.map(async (user) => {
        const { completed_themes } = await get('/api/dashboard/stats', user);
        const unread = await get('/api/announcements?is_read=false', user);
        return completed_themes > 0 && unread.length > 0;
      }),
    );
    const learner = idle.find((_, index) => isLearner[index]) ?? assert.fail('nobody has learned and has news');
    for (const user of [learner, instructor, await school.as('admin')]) {
      const page = await visitors.come(t, { isNew: true });
      await page.addInitScript(countShifts);
      await visitors.openAs(page, user, '/');
      const isStudent = user === learner;
      await page.getByRole('heading', { name: isStudent ? 'Your progress' : 'Running now' }).waitFor();
      if (isStudent) await page.locator('svg.recharts-surface').first().waitFor();
      await page.locator('.animate-pulse').first().waitFor({ state: 'detached' });
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
      const moved = await page.evaluate(() => (globalThis as unknown as { moved: number }).moved);
      assert.ok(moved <= 0.05, `the dashboard of ${user.username} moved by ${moved}`);
      const sections = page.locator('#content section:not(section section)');
      const names = await sections.evaluateAll((all) =>
        all.map(
          (one) => one.ariaLabel ?? document.getElementById(one.getAttribute('aria-labelledby') ?? '')?.textContent,
        ),
      );
      if (!isStudent) {
        const [first] = names.filter((name) => name !== 'First steps' && name !== 'Health');
        assert.equal(first, 'Running now');
        continue;
      }
      assert.deepEqual(names, ['Now', 'Next', 'Agenda', 'Announcements', 'Your progress', 'Activity']);
      await page.getByRole('region', { name: 'Now' }).getByText('An exam is open').waitFor();
    }
  });

  it('is refused where there are users', async () => {
    await assert.rejects(fillNow(school.server.application.db), /^Error: This installation has users/);
  });
});
