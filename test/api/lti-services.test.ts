import assert from 'node:assert/strict';
import { afterEach, beforeEach, it } from 'node:test';
import { sql } from 'kysely';
import { PlatformMemberStore } from '../../src/features/lti/member-store.ts';
import { Classroom } from '../classroom.ts';
import { openSession, runAttempt } from '../exam-session.ts';
import { good } from '../grading-class.ts';
import { bring, enter } from '../lti/launches.ts';
import { LtiPlatform, ltiRoles } from '../lti/platform.ts';
import { describeLong, rounds } from '../rounds.ts';
import { engineSkip } from '../server.ts';

describeLong('a class that follows a course of a platform', { skip: engineSkip, timeout: 600_000 }, () => {
  let room: Classroom;
  let platform: LtiPlatform;
  let classId: number;
  let teacher: { id: number; token: string };
  beforeEach(async () => {
    room = await Classroom.open({ PRIVATE_PROVIDERS: 'true' });
    platform = await LtiPlatform.listen();
    const at = (path: string): string => `${room.server.url}/api/lti/${path}`;
    platform.tool = { login: at('login'), redirects: [at('launch')], keys: at('keys') };
    const { issuer, clientId, deploymentId, addresses } = platform;
    await good(
      room.server.post('/api/admin/lti-platforms', room.admin.token, {
        ...{ name: 'Moodle', issuer, client_id: clientId, deployment_ids: [deploymentId], origins: [issuer] },
        ...{ authorization_url: addresses.authorization, token_url: addresses.token, jwks_url: addresses.keys },
        ...{ is_active: true, makes_instructors: true },
      }),
    );
    const { opened } = await launch({ user: person('teacher', ltiRoles.instructor), link: 'link-0' });
    const { access_token: token, user } = await enter(room.server, { opened });
    teacher = { id: user.id, token };
    const chosen = await good(room.server.put('/api/lti/class', token, { launch: opened.launch, class_id: null }));
    classId = chosen.class_id;
  });
  afterEach(async () => {
    await platform?.[Symbol.asyncDispose]();
    await room?.[Symbol.asyncDispose]();
  });

  const person = (user_id: string, ...roles: string[]) => ({
    ...{ user_id, roles: roles.length === 0 ? [ltiRoles.learner] : roles },
    ...{ name: `Person ${user_id}`, email: `${user_id}@school.example.com` },
  });
  async function launch(wanted: Parameters<LtiPlatform['begin']>[0]) {
    const begun = await room.server.get(`/api/lti/login?${platform.begin(wanted)}`);
    const { searchParams } = new URL(begun.headers.get('location') ?? '');
    const { fields } = await platform.authorize(searchParams);
    const [cookie] = (begun.headers.get('set-cookie') ?? '').split(';');
    return await bring(room.server, fields, { cookie });
  }
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

  /** A laboratory in a course of the class. */
  async function offered(scripts: readonly string[]): Promise<number> {
    const made = async (path: string, fields: object): Promise<number> =>
      (await good(room.server.post(`/api/admin/lessons/${path}`, room.admin.token, fields))).id;
    const course_id = await made('courses', { name: 'Linux' });
    const section_id = await made('sections', { name: 'Files', course_id });
    await good(room.server.put(`/api/classes/${classId}`, room.admin.token, { course_ids: [course_id] }));
    return await room.make('laboratory', scripts, { section_id });
  }

  // Long: members come by pages, change, go, and cannot be read for a while.
  it('has its members', async () => {
    const joined = await room.server.user();
    await good(room.server.post(`/api/classes/${classId}/members`, room.admin.token, { user_id: joined.id }));
    platform.people = [
      person('teacher', ltiRoles.instructor),
      ...Array.from({ length: 29 }, (_, index) => person(`s${index}`)),
      { ...person('gone'), status: 'Inactive' },
      // Nobody, who keeps nobody else out.
      ...['', '\0', '\ud800', 'x'.repeat(256)].map((id) => person(id)),
    ];
    await synchronize();
    assert.equal((await members()).length, 31);
    const [course] = await courses();
    assert.deepEqual([course.problem, course.has_members, course.title], [null, true, 'Linux']);
    assert.ok(course.synchronized_at);

    const staff = ['s10', 's11'].map((id) => person(id, ltiRoles.instructor));
    platform.people = [...platform.people.slice(0, 5), ...staff];
    platform.failures.push({ path: /members/, status: 500 });
    await synchronize();
    assert.deepEqual([(await members()).length, (await courses())[0].problem], [31, 'unreachable']);
    platform.failures.push({ path: /members/, status: 403 });
    await synchronize();
    assert.deepEqual([(await members()).length, (await courses())[0].problem], [31, 'refused']);
    // A token that the platform has forgotten is renewed.
    platform.revokeTokens();
    await synchronize();
    const now = await members();
    assert.equal(now.length, 8, now.join());
    assert.ok(now.includes(`student ${joined.username}`) && now.some((one) => one.startsWith('instructor s10')));
    assert.deepEqual((await courses())[0].problem, null);
    platform.people = platform.people.map((one) => (one.user_id === 's10' ? person('s10') : one));
    await synchronize();
    assert.ok((await members()).includes('student s10'), 'the role follows that of the course');
  });

  it('reads a course of which one answer would be too large', async () => {
    // As Moodle: without a limit all members are one page.
    platform.pageSize = 10_000;
    const gone = Array.from({ length: 2500 }, (_, index) => ({
      ...{ ...person(`s${index}`), status: 'Inactive' as const, picture: 'x'.repeat(1000) },
    }));
    platform.people = [person('teacher', ltiRoles.instructor), ...gone, person('last')];
    await synchronize();
    assert.deepEqual([(await courses())[0].problem, (await members()).length], [null, 2]);
  });

  it('has each new member once where a reading brings whom launches bring at the same time', async () => {
    for (let number = 0; number < rounds(5, 20); number += 1) {
      const people = Array.from({ length: 10 }, (_, index) => person(`new-${number}-${index}`));
      platform.people = [person('teacher', ltiRoles.instructor), ...people];
      const [, ...launches] = await Promise.all([
        synchronize(),
        ...[...people, ...people].map((user) => launch({ user, link: 'link-0' })),
      ]);
      const ids = (await Promise.all(launches.map((one) => enter(room.server, one)))).map(({ user }) => user.id);
      assert.deepEqual(ids.slice(0, 10), ids.slice(10));
      assert.equal(new Set(ids).size, 10);
      const now = await members();
      assert.equal(now.length, 11, now.join());
      assert.equal((await courses())[0].problem, null);
    }
  });

  it('is read again when somebody asks for it during a reading', async () => {
    const store = new PlatformMemberStore(db());
    const isDue = async (): Promise<boolean> => (await store.due(1)).length === 1;
    const [{ id }] = await courses();
    const ask = () => good(room.server.post(`/api/classes/${classId}/lti-courses/${id}/synchronize`, teacher.token));
    await ask();
    const [reading] = await store.due(1);
    assert.ok(reading);
    await ask();
    await store.followed(reading, null);
    assert.ok(await isDue());
    const [next] = await store.due(1);
    assert.ok(next);
    await store.followed(next, 'refused');
    assert.ok(!(await isDue()));
  });

  // Long: one class, in which each membership that is spared ends when its reason does.
  it('loses nobody in an exam, out of an archive, or as its last instructor, until that is over', async () => {
    const [anna, bob, cora] = [person('anna'), person('bob'), person('cora')];
    platform.people = [person('second', ltiRoles.instructor), anna, bob, cora];
    await synchronize();
    const path = `/api/classes/${classId}/members`;
    const listed = await good(room.server.get(`${path}?page_size=100`, room.admin.token));
    const known = new Map(listed.map((one: { email: string; user_id: number }) => [one.email, one.user_id]));
    const idOf = (name: string) => known.get(`${name}@school.example.com`) as number;
    await good(room.server.delete(`${path}/${teacher.id}`, room.admin.token));
    const exam_id = await room.make('exam', ['echo PASS']);
    const session = await openSession(room.server, room.admin, { exam_id, class_id: classId });
    const attempt = await runAttempt(room.server, { ...room.instructor, id: idOf('anna') }, session);
    const read = async (...people: typeof platform.people) => {
      platform.people = people;
      await sql`update lti_contexts set synchronize_at = now()`.execute(db());
      await room.server.application.lti.members.round();
      const rows = await good(room.server.get(`${path}?page_size=100`, room.admin.token));
      return rows.map(({ email, role }: { email: string; role: string }) => `${email.split('@')[0]} ${role}`).sort();
    };
    const lastStays = ['bob student', 'second instructor'];
    assert.deepEqual(await read(bob), ['anna student', ...lastStays], 'cora leaves');
    assert.deepEqual(await read(bob, person('second')), ['anna student', ...lastStays], 'and keeps the role');
    await sql`update attempts set status = 'finished', score = 1, passed = true, submitted_at = now() where id = ${attempt}`.execute(
      db(),
    );
    assert.deepEqual(await read(bob), lastStays, 'the exam is over');
    await good(room.server.post(path, room.admin.token, { user_id: room.instructor.id, role: 'instructor' }));
    const another = `${room.instructor.email.split('@')[0]} instructor`;
    assert.deepEqual(await read(bob), ['bob student', another].sort());
    await good(room.server.put(`/api/classes/${classId}`, room.admin.token, { is_archived: true }));
    assert.deepEqual(await read(), ['bob student', another].sort());
    // It is archived while its members are read.
    const [course] = await db().selectFrom('lti_contexts').selectAll().execute();
    assert.ok(course);
    const due = { ...course, class_id: classId, memberships_url: '', synchronize_at: '' };
    await new PlatformMemberStore(db()).leave(due, []);
    assert.deepEqual(await read(), ['bob student', another].sort());
    await good(room.server.put(`/api/classes/${classId}`, room.admin.token, { is_archived: false }));
    assert.deepEqual(await read(), [another]);
    const acts = db().selectFrom('activity_log').select('user_id').where('type', '=', 'class_leave').orderBy('id');
    const left = (await acts.where('entity_id', '=', classId).execute()).map(({ user_id }) => user_id);
    assert.deepEqual(left, ['cora', 'anna', 'second', 'bob'].map(idOf));
  });

  // Long: a grade, its changes, a platform that is away for days, and what it refuses.
  it('sends its grades to the book of the platform, the newest last', async () => {
    const laboratory = await offered(['echo PASS', 'echo PASS']);
    const claims = { 'https://purl.imsglobal.org/spec/lti/claim/custom': { shows: `laboratory:${laboratory}` } };
    platform.people = [person('anna')];
    const opened = await launch({ user: person('anna'), link: 'link-1', claims });
    const { user, access_token: token } = await enter(room.server, opened);
    const student = { ...(await room.server.user()), ...user, token };
    await room.finish(student, 'laboratory', laboratory, [true, false]);
    await round();
    const scores = () =>
      platform.scores.map(({ userId, scoreGiven, scoreMaximum }) => [userId, scoreGiven, scoreMaximum]);
    assert.deepEqual(scores(), [['anna', 1, 3]]);
    await round();
    assert.equal(platform.scores.length, 1, 'nothing new');

    platform.isDown = true;
    const setScore = async (score: number) =>
      await db().updateTable('attempts').set({ score }).where('user_id', '=', student.id).execute();
    await setScore(2);
    await round();
    await later(1);
    await setScore(2.5);
    await round();
    const [away] = await courses();
    assert.deepEqual([away.waiting_grades, away.grade_problem], [1, 'unreachable']);
    platform.isDown = false;
    await round();
    assert.equal(platform.scores.length, 1, 'not before its time');
    await later(30);
    platform.failures.push({ path: /scores/, status: 429, headers: { 'retry-after': '7200' } });
    await round();
    await later(1);
    await round();
    assert.equal(platform.scores.length, 1, 'the platform wants two hours');
    await later(2);
    await round();
    assert.deepEqual(scores().slice(1), [['anna', 2.5, 3]]);

    // The book has the grade, but its answer is lost: it is sent again with a later time.
    await setScore(3);
    platform.failures.push({ path: /scores/, lost: 'after' });
    await round();
    for (let time = 0; time < 2; time += 1) {
      await later(1);
      await round();
    }
    assert.deepEqual([platform.grade(1, 'anna'), (await courses())[0].waiting_grades], [3, 0]);
    await db().deleteFrom('attempts').where('user_id', '=', student.id).execute();
    await round();
    assert.equal(platform.grade(1, 'anna'), undefined);
    const times = platform.scores.map(({ timestamp }) => timestamp);
    assert.deepEqual(times, [...new Set(times)].sort());

    platform.lineItems.clear();
    await room.finish(student, 'laboratory', laboratory, [true, true]);
    await round();
    const [failed] = await courses();
    assert.deepEqual([failed.failed_grades, failed.grade_problem], [1, 'no_column']);
  });

  it('sends the other grades where the platform takes some of them badly, and none is lost without a token', async () => {
    const laboratory = await offered(['echo PASS']);
    const claims = { 'https://purl.imsglobal.org/spec/lti/claim/custom': { shows: `laboratory:${laboratory}` } };
    platform.people = Array.from({ length: 12 }, (_, index) => person(`s${index}`));
    const students = [];
    for (const user of platform.people) {
      const { user: account, access_token: token } = await enter(
        room.server,
        await launch({ user, link: 'link-1', claims }),
      );
      students.push({ ...(await room.server.user()), ...account, token });
    }
    for (const student of students) await room.finish(student, 'laboratory', laboratory, [true]);
    // No column is made and no grade is sent while the platform gives no token, but each waits.
    platform.revokeTokens();
    for (let time = 0; time < 20; time += 1) platform.failures.push({ path: /token/, status: 400 });
    await round();
    const [refused] = await courses();
    assert.deepEqual([refused.waiting_grades, refused.failed_grades, refused.grade_problem], [12, 0, 'refused']);
    assert.ok(platform.failures.length >= 12, 'one token for each grade was asked for');
    platform.failures = [1, 2, 3].map(() => ({ path: /scores/, status: 500 }));
    await later(1);
    await round();
    assert.equal(platform.scores.length, 9);
    platform.failures = [{ path: /scores/, status: 403, headers: { 'x-rate-limit-remaining': '0.0' } }];
    for (let time = 0; time < 2; time += 1) {
      await later(2);
      await round();
    }
    const [sent] = await courses();
    assert.deepEqual([platform.scores.length, sent.waiting_grades, sent.failed_grades], [12, 0, 0]);
  });

  it('keeps the grades that its platform has when another class takes its place', async () => {
    const laboratory = await offered(['echo PASS']);
    platform.people = [person('anna')];
    const claims = { 'https://purl.imsglobal.org/spec/lti/claim/custom': { shows: `laboratory:${laboratory}` } };
    const { user, access_token: token } = await enter(
      room.server,
      await launch({ user: person('anna'), link: 'link-1', claims }),
    );
    const anna = { ...(await room.server.user()), ...user, token };
    await room.finish(anna, 'laboratory', laboratory, [true]);
    await round();
    const { opened } = await launch({ user: person('teacher', ltiRoles.instructor), link: 'link-0' });
    await good(room.server.put('/api/lti/class', teacher.token, { launch: opened.launch, class_id: null }));
    await round();
    assert.deepEqual([platform.scores.length, platform.grade(1, 'anna')], [1, 1]);
  });

  it('shows only what its class has, whatever a link says', async () => {
    const other = await good(room.server.post('/api/classes', room.admin.token, { name: 'Another' }));
    const exam_id = await room.make('exam', ['echo PASS']);
    const session = await openSession(room.server, room.admin, { exam_id, class_id: other.id });
    for (const shows of [`exam_session:${session.id}`, `laboratory:${await room.make('laboratory', ['echo PASS'])}`]) {
      const claims = { 'https://purl.imsglobal.org/spec/lti/claim/custom': { shows } };
      const { opened } = await launch({ user: person('anna'), link: 'link-1', claims });
      assert.equal(opened.path, `/classes/${classId}`, shows);
    }
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
