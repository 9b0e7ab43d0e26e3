import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import type { ClassRole } from '../../src/database/tables.ts';
import { openSession, runAttempt } from '../exam-session.ts';
import { finishAttempt } from '../finished-attempt.ts';
import { makeAssessment } from '../made-assessment.ts';
import { describeLong } from '../rounds.ts';
import { TestServer, type TestUser } from '../server.ts';

const path = '/api/instructor/overview';
const days = (count: number) => new Date(Date.now() + count * 86_400_000);

for (const [scope, suite] of [
  ['all', describeLong],
  ['classes', describe],
] as const)
  suite(`the dashboard of instructors, with INSTRUCTOR_SCOPE=${scope}`, () => {
    let server: TestServer;
    let [admin, teacher, other, student]: TestUser[] = [];
    let [own, exam, laboratory]: number[] = [];
    let themes: number[];
    before(async () => {
      // The cleanup would end the attempts that have no container.
      server = await TestServer.start({ INSTRUCTOR_SCOPE: scope });
      [admin, teacher, other, student] = await Promise.all([
        ...[server.user('admin'), server.user('instructor'), server.user('instructor'), server.user()],
      ]);
      const create = async (place: string, fields: object): Promise<number> =>
        (await server.post(`/api/admin/lessons/${place}`, admin?.token, fields)).body.id;
      const course_id = await create('courses', { name: 'Linux' });
      const section_id = await create('sections', { name: 'Files', course_id });
      const theme = { section_id, markdown_file_path: 'a.md' };
      themes = [
        await create('themes', { ...theme, title: 'Paths' }),
        await create('themes', { ...theme, title: 'Links' }),
      ];
      exam = await makeAssessment(server, admin as TestUser, 'exam', ['echo PASS'], { title: 'Basics', course_id });
      laboratory = await makeAssessment(server, admin as TestUser, 'laboratory', ['echo PASS'], { section_id });
      own = (await server.post('/api/classes', teacher?.token, { name: 'Own', course_ids: [course_id] })).body.id;
      await enrol(own as number, student as TestUser, 'student');
    });
    after(() => server?.[Symbol.asyncDispose]());

    const enrol = (class_id: number, { id }: TestUser, role: ClassRole) =>
      server.application.db.insertInto('class_members').values({ class_id, user_id: id, role }).execute();
    const overview = async (user: TestUser | undefined) => {
      const { status, body, text } = await server.get(path, user?.token);
      assert.equal(status, 200, text);
      return body;
    };
    const fail = (user: TestUser | undefined, times = 3) =>
      Promise.all(
        Array.from({ length: times }, () => finishAttempt(server, user as TestUser, 'exam', exam as number, [false])),
      );
    const newStudent = async () => {
      const user = await server.user();
      await enrol(own as number, user, 'student');
      return user;
    };

    it('shows who is stuck in the classes of an instructor', async () => {
      const attempts = await fail(student);
      const twice = await newStudent();
      await fail(twice, 2);
      const passed = await newStudent();
      await fail(passed);
      await finishAttempt(server, passed, 'exam', exam as number, [true]);
      const outsider = await server.user();
      await fail(outsider);
      const { stuck, stuck_count, has_classes } = await overview(teacher);
      assert.equal(has_classes, true);
      assert.deepEqual([stuck.length, stuck_count], [1, 1]);
      const { last_at, ...row } = stuck[0];
      assert.ok(Date.parse(last_at) > Date.now() - 60_000);
      assert.deepEqual(row, {
        ...{ user_id: student?.id, username: student?.username, full_name: null, kind: 'exam', id: exam },
        ...{ title: 'Basics', class_id: own, class_name: 'Own', attempts: 3, attempt_id: Math.max(...attempts) },
      });
      assert.deepEqual((await overview(other)).stuck, []);
      const everybody = (await overview(admin)).stuck.map(({ user_id }: { user_id: number }) => user_id);
      assert.deepEqual(everybody.toSorted(), [student?.id, outsider.id].toSorted());
    });

    it('shows who has completed no lesson for a week, and the next lesson', async () => {
      const complete = async (user: TestUser, when: Date, ids = [themes[0] as number]) => {
        const rows = ids.map((theme_id) => ({ user_id: user.id, theme_id, completed: true, completed_at: when }));
        await server.application.db.insertInto('theme_progress').values(rows).execute();
      };
      const [slow, quick, done, gone] = [
        await newStudent(),
        await newStudent(),
        await newStudent(),
        await newStudent(),
      ];
      await complete(slow, days(-8));
      await complete(quick, days(-6));
      await complete(done, days(-8), themes);
      await complete(gone, days(-100));
      const lessons = (await overview(teacher)).stuck.filter(({ kind }: { kind: string }) => kind === 'lesson');
      const shown = lessons.map(({ user_id, id, title, attempts }: Record<string, unknown>) => [
        user_id,
        id,
        title,
        attempts,
      ]);
      assert.deepEqual(shown, [[slow.id, themes[1], 'Links', 0]]);
      await finishAttempt(server, slow, 'laboratory', laboratory as number, [true]);
      await sql`update attempts set started_at = now()`.execute(server.application.db);
      assert.ok(!(await overview(teacher)).stuck.some(({ kind }: { kind: string }) => kind === 'lesson'));
    });

    // Long: most of it creates one of everything that is shown.
    it('shows what waits, what runs and what comes next', async () => {
      const { db } = server.application;
      const session = async (fields: { opens_at: Date; closes_at: Date }, title: string) =>
        (
          await db
            .insertInto('exam_sessions')
            .values({
              exam_id: exam as number,
              class_id: own as number,
              title,
              results_visible: 'when_released',
              ...fields,
            })
            .returning('id')
            .executeTakeFirstOrThrow()
        ).id;
      const past = await session({ opens_at: days(-3), closes_at: days(-2) }, 'Past');
      await session({ opens_at: days(-5), closes_at: days(-4) }, 'Nobody came');
      const open = await session({ opens_at: days(-1), closes_at: days(1) }, 'Open');
      const next = await session({ opens_at: days(2), closes_at: days(3) }, 'Next');
      const mine = await newStudent();
      const ended = await finishAttempt(server, mine, 'exam', exam as number, [true]);
      await db.updateTable('attempts').set({ session_id: past }).where('id', '=', ended).execute();
      const values = { kind: 'exam', assessment_id: exam as number, user_id: mine.id, title: 'Basics' } as const;
      const running = {
        status: 'in_progress',
        session_id: open,
        grading_error: 'No answer',
        expires_at: days(1),
      } as const;
      await db
        .insertInto('attempts')
        .values({ ...values, ...running, container_name: `${mine.id}`, max_score: 1, passing_score: 1 })
        .execute();
      const now = await overview(teacher);
      const about = (rows: { id: number }[]) => rows.map(({ id }) => id);
      assert.deepEqual([about(now.results_to_release), now.results_to_release[0].attempts], [[past], 1]);
      assert.deepEqual([about(now.open_sessions), now.open_sessions[0].working], [[open], 1]);
      assert.deepEqual(about(now.upcoming_sessions), [next]);
      assert.deepEqual(
        now.failed_gradings.map(({ username }: TestUser) => username),
        [mine.username],
      );
      assert.deepEqual([now.running.exams, now.running.queued, now.running.containers], [1, 0, 0]);
      const { has_classes, open_sessions, upcoming_sessions, results_to_release, failed_gradings } =
        await overview(other);
      assert.equal(has_classes, false);
      assert.deepEqual([open_sessions, upcoming_sessions, results_to_release, failed_gradings], [[], [], [], []]);
      assert.deepEqual(about((await overview(admin)).open_sessions), [open]);
    });

    it('shows sessions for chosen students to those who supervise them, also of students in no class', async () => {
      const [planner, examinee] = [await server.user('instructor'), await server.user()];
      const { id } = await openSession(server, admin as TestUser, { exam_id: exam, user_ids: [examinee.id] });
      const { db } = server.application;
      const supervisor = { session_id: id, user_id: planner.id, role: 'instructor' } as const;
      await db.insertInto('exam_session_users').values(supervisor).execute();
      const attempt = await runAttempt(server, examinee, { id, exam_id: exam as number });
      await db.updateTable('attempts').set({ grading_error: 'No answer' }).where('id', '=', attempt).execute();
      for (const [user, isShown] of [
        [planner, true],
        [admin, true],
        [teacher, false],
      ] as const) {
        const { open_sessions, failed_gradings } = await overview(user);
        const session = open_sessions.find((one: { id: number }) => one.id === id);
        const failed = failed_gradings.some((one: { attempt_id: number }) => one.attempt_id === attempt);
        assert.deepEqual([session !== undefined, failed], [isShown, isShown], user?.username);
        if (session) assert.deepEqual([session.class_id, session.students, session.working], [null, 1, 1]);
      }
    });

    it('shows administrators the exams whose last trial failed', async () => {
      const { db } = server.application;
      const entry = { type: 'admin_exam_try', title: 'Basics', entity_type: 'exam', entity_id: exam as number };
      const log = (is_ok: boolean) =>
        db
          .insertInto('activity_log')
          .values({ ...entry, details: JSON.stringify({ is_ok }) })
          .execute();
      await log(false);
      assert.deepEqual(
        (await overview(admin)).failed_trials.map(({ id }: { id: number }) => id),
        [exam],
      );
      assert.deepEqual((await overview(teacher)).failed_trials, []);
      await log(true);
      assert.deepEqual((await overview(admin)).failed_trials, []);
    });
  });
