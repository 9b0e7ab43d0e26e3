import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import { Classroom } from '../classroom.ts';
import { good } from '../grading-class.ts';
import { CourseServices } from '../lti/course-services.ts';
import { ForgingPlatform, instructor, lti } from '../lti/forging-platform.ts';
import { addPlatform, enter, launch } from '../lti/launches.ts';
import { engineSkip } from '../server.ts';

describe('a class that follows a course of a platform', { skip: engineSkip, timeout: 600_000 }, () => {
  let room: Classroom;
  let platform: ForgingPlatform;
  let services: CourseServices;
  let classId: number;
  let teacher: { id: number; token: string };
  beforeEach(async () => {
    room = await Classroom.open({ PRIVATE_PROVIDERS: 'true' });
    platform = await new ForgingPlatform().start();
    services = new CourseServices(platform);
    await addPlatform(room.server, room.admin, platform, { makes_instructors: true });
    const launched = await launch(room.server, platform, {
      ...{ ...services.claims, sub: 'teacher', email: 'teacher@school.example.com', [lti('roles')]: [instructor] },
    });
    const { access_token: token, user } = await enter(room.server, launched);
    teacher = { id: user.id, token };
    const chosen = await good(
      room.server.put('/api/lti/class', token, { launch: launched.opened.launch, class_id: null }),
    );
    classId = chosen.class_id;
  });
  afterEach(async () => {
    await platform?.[Symbol.asyncDispose]();
    await room?.[Symbol.asyncDispose]();
  });

  const db = () => room.server.application.db;
  const courses = async () => await good(room.server.get(`/api/classes/${classId}/lti-courses`, teacher.token));
  const synchronize = async () => {
    const [course] = await courses();
    await good(room.server.post(`/api/classes/${classId}/lti-courses/${course.id}/synchronize`, teacher.token));
    await room.server.application.lti.members.round();
  };
  const members = async (): Promise<string[]> =>
    (await good(room.server.get(`/api/classes/${classId}/members?page_size=100`, teacher.token)))
      .map(({ username, role }: { username: string; role: string }) => `${role} ${username}`)
      .sort();
  /** As if so many hours had passed. */
  const later = async (hours: number) =>
    void (await sql`update lti_grades set due_at = due_at - make_interval(hours => ${hours})`.execute(db()));
  const round = async () => await room.server.application.lti.grades.round();

  // Long: members come by pages, change, go, and cannot be read for a while.
  it('has its members', async () => {
    const joined = await room.server.user();
    await good(room.server.post(`/api/classes/${classId}/members`, room.admin.token, { user_id: joined.id }));
    services.members = [
      CourseServices.teacher('teacher'),
      ...Array.from({ length: 29 }, (_, index) => CourseServices.student(`s${index}`)),
      { ...CourseServices.student('gone'), status: 'Inactive' },
    ];
    await synchronize();
    assert.equal((await members()).length, 31);
    const [course] = await courses();
    assert.deepEqual([course.problem, course.has_members, course.title], [null, true, 'Linux']);
    assert.ok(course.synchronized_at);

    services.members = [...services.members.slice(0, 5), CourseServices.teacher('s10'), CourseServices.teacher('s11')];
    services.refusals.push({ status: 500 });
    await synchronize();
    assert.deepEqual([(await members()).length, (await courses())[0].problem], [31, 'unreachable']);
    services.refusals.push({ body: { members: 'none' } });
    await synchronize();
    assert.deepEqual([(await members()).length, (await courses())[0].problem], [31, 'unreadable']);
    // A token that the platform has forgotten is renewed.
    services.refusals.push({ status: 401 });
    await synchronize();
    const now = await members();
    assert.equal(now.length, 8, now.join());
    assert.ok(now.includes(`student ${joined.username}`) && now.some((one) => one.startsWith('instructor s10')));
    assert.deepEqual((await courses())[0].problem, null);
    services.members = services.members.map((one) => (one.user_id === 's10' ? CourseServices.student('s10') : one));
    await synchronize();
    assert.ok((await members()).includes('student s10'), 'the role follows that of the course');
  });

  // Long: a grade, its changes, a platform that is away for days, and what it refuses.
  it('sends its grades to the book of the platform, the newest last', async () => {
    const laboratory = await room.make('laboratory', ['echo PASS', 'echo PASS']);
    const learn = {
      ...{ ...services.claims, sub: 'anna', email: 'anna@school.example.com' },
      [lti('custom')]: { shows: `laboratory:${laboratory}` },
      [lti('resource_link')]: { id: 'link-1' },
    };
    const { user, access_token: token } = await enter(room.server, await launch(room.server, platform, learn));
    const student = { ...(await room.server.user()), ...user, token };
    await room.finish(student, 'laboratory', laboratory, [true, false]);
    await round();
    const scores = () =>
      services.sent.map(({ userId, scoreGiven, scoreMaximum }) => [userId, scoreGiven, scoreMaximum]);
    assert.deepEqual(scores(), [['anna', 1, 3]]);
    await round();
    assert.equal(services.sent.length, 1, 'nothing new');

    services.isDown = true;
    const setScore = async (score: number) =>
      await db().updateTable('attempts').set({ score }).where('user_id', '=', student.id).execute();
    await setScore(2);
    await round();
    await later(1);
    await setScore(2.5);
    await round();
    const [away] = await courses();
    assert.deepEqual([away.waiting_grades, away.grade_problem], [1, 'unreachable']);
    services.isDown = false;
    await round();
    assert.equal(services.sent.length, 1, 'not before its time');
    await later(30);
    services.refusals.push({ status: 429, headers: { 'retry-after': '7200' } });
    await round();
    await later(1);
    await round();
    assert.equal(services.sent.length, 1, 'the platform wants two hours');
    await later(2);
    await round();
    assert.deepEqual(scores().slice(1), [['anna', 2.5, 3]]);

    // Sent, and the process died before it had noted that.
    await sql`update lti_grades set status = 'waiting'`.execute(db());
    await round();
    await later(1);
    await round();
    assert.equal(services.book.get('1')?.get('anna')?.scoreGiven, 2.5);
    await db().deleteFrom('attempts').where('user_id', '=', student.id).execute();
    await round();
    assert.equal(services.book.get('1')?.get('anna')?.scoreGiven, undefined);
    const times = services.sent.map(({ timestamp }) => timestamp);
    assert.deepEqual(times, [...new Set(times)].sort());

    services.columns.length = 0;
    await room.finish(student, 'laboratory', laboratory, [true, true]);
    await round();
    const [failed] = await courses();
    assert.deepEqual([failed.failed_grades, failed.grade_problem], [1, 'no_column']);
  });

  it('is shown to its staff, and synchronized by its instructors', async () => {
    const [course] = await courses();
    const path = `/api/classes/${classId}/lti-courses`;
    const stranger = await room.server.user();
    assert.equal((await room.server.get(path, stranger.token)).status, 404);
    assert.equal((await room.server.post(`${path}/${course.id}/synchronize`, stranger.token)).status, 404);
    assert.equal((await room.server.post(`${path}/2000000/synchronize`, teacher.token)).status, 404);
    await good(room.server.post(`/api/classes/${classId}/members`, room.admin.token, { user_id: stranger.id }));
    assert.equal((await room.server.get(path, stranger.token)).status, 403);
    assert.equal((await room.server.post(`${path}/${course.id}/synchronize`, stranger.token)).status, 403);
  });
});
