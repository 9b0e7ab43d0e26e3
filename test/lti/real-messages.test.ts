import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { Classroom } from '../classroom.ts';
import { good } from '../grading-class.ts';
import { engineSkip } from '../server.ts';
import { bring, enter } from './launches.ts';
import { Canvas, Moodle, type Person, type RealPlatform } from './real-messages.ts';

const platforms = [Moodle, Canvas] as const;
const named = (id: string, role: Person['role'], given: string): Person => ({
  ...{ id, role, given, family: 'Meyer', email: `${given.toLowerCase()}@school.example.com` },
});

for (const Platform of platforms)
  describe(`the messages of ${Platform.name}`, { skip: engineSkip, timeout: 600_000 }, () => {
    let room: Classroom;
    let platform: RealPlatform;
    const teacher = named('4', 'instructor', 'Ada');
    const student = named('17', 'student', 'Ben');
    const anonymous: Person = { id: '18', role: 'student' };
    before(async () => {
      room = await Classroom.open({ PRIVATE_PROVIDERS: 'true' });
      platform = await Platform.start();
    });
    after(async () => {
      await platform?.[Symbol.asyncDispose]();
      await room?.[Symbol.asyncDispose]();
    });

    async function opened(person: Person, claims: Record<string, unknown>) {
      const begun = await room.server.request('POST', '/api/lti/login', {
        body: new URLSearchParams(platform.hints(person)).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
      assert.equal(begun.status, 303, begun.text);
      const { searchParams } = new URL(begun.headers.get('location') ?? '');
      assert.equal(platform.problemOf(searchParams), undefined);
      const nonce = searchParams.get('nonce') ?? '';
      const form = platform.form(await platform.sign({ ...claims, nonce }), searchParams.get('state') ?? '');
      const [cookie] = (begun.headers.get('set-cookie') ?? '').split(';');
      return await bring(room.server, form, { cookie });
    }
    const members = async (classId: number) =>
      (await good(room.server.get(`/api/classes/${classId}/members?page_size=100`, room.admin.token)))
        .map(({ role, full_name, username }: Record<string, string>) => `${role} ${full_name ?? username}`)
        .sort();

    // Long: one course, from the registration of the platform to a grade in its book.
    it('are understood, and its answers are accepted', async () => {
      const { server, admin } = room;
      const { url } = await good(server.post('/api/admin/lti-platforms/registration-link', admin.token));
      const registered = await server.get(
        `${new URL(url).pathname}${new URL(url).search}&${new URLSearchParams(platform.registration)}`,
      );
      assert.equal(registered.status, 200, registered.text);
      const policy = registered.headers.get('content-security-policy') ?? '';
      assert.ok(policy.split('frame-ancestors ')[1]?.split(' ').includes(platform.page), policy);
      const [row] = await good(server.get('/api/admin/lti-platforms', admin.token));
      assert.deepEqual(
        [row.issuer, row.client_id, row.deployment_ids, row.is_active],
        [platform.issuer, platform.clientId, [platform.deploymentId], false],
      );
      assert.ok(row.origins.includes(platform.page), row.origins.join());
      assert.equal(platform.tooled['https://canvas.instructure.com/lti/privacy_level'], 'public');
      const [, deepLinking] = platform.tooled['messages'] as { placements: string[] }[];
      assert.deepEqual(deepLinking?.placements, platform.placements);
      const path = `/api/admin/lti-platforms/${row.id}`;
      await good(server.put(path, admin.token, { is_active: true, makes_instructors: true }));
      assert.deepEqual((await good(server.post(`${path}/test`, admin.token))).problems, []);

      const first = await opened(teacher, platform.launch(teacher, { id: '12', title: 'Welcome' }));
      const { access_token: token, user } = await enter(server, first);
      assert.deepEqual([user.role, user.email], ['instructor', teacher.email]);
      const { class_id: classId } = await good(
        server.put('/api/lti/class', token, { launch: first.opened.launch, class_id: null }),
      );
      const course = await good(server.post('/api/admin/lessons/courses', admin.token, { name: 'Linux' }));
      const section = { name: 'Shell', course_id: course.id };
      const { id: section_id } = await good(server.post('/api/admin/lessons/sections', admin.token, section));
      const laboratory = await room.make('laboratory', ['echo PASS', 'echo PASS'], { section_id });
      await good(server.put(`/api/classes/${classId}`, admin.token, { course_ids: [course.id] }));

      const choosing = await opened(teacher, platform.deepLinking(teacher));
      const { access_token: again } = await enter(server, choosing);
      const item = { launch: choosing.opened.launch, kind: 'laboratory', id: laboratory };
      const { return_url, message } = await good(server.put('/api/lti/item', again, item));
      assert.ok(return_url.startsWith(platform.page));
      const [chosen = {}] = await platform.itemsOf(message);
      assert.equal(chosen['type'], 'ltiResourceLink');
      const link = platform.kept(chosen);

      platform.people = [teacher, named('5', 'assistant', 'Cleo'), student, anonymous];
      const launched = await opened(student, platform.launch(student, link));
      assert.equal(launched.opened.path, `/laboratories/${laboratory}`);
      const entered = await enter(server, launched);
      const [followed] = await good(server.get(`/api/classes/${classId}/lti-courses`, admin.token));
      await good(server.post(`/api/classes/${classId}/lti-courses/${followed.id}/synchronize`, token));
      await server.application.lti.members.round();
      const role = platform instanceof Canvas ? 'assistant' : 'instructor';
      const present = (await members(classId)).filter((one: string) => one.includes('Meyer'));
      assert.deepEqual(present, [`${role} Cleo Meyer`, 'instructor Ada Meyer', 'student Ben Meyer'].sort());

      const hidden = await enter(server, await opened(anonymous, platform.launch(anonymous, link)));
      assert.match(hidden.user.email, /@no-address\.invalid$/);
      assert.ok((await members(classId)).includes(`student ${hidden.user.username}`));

      const own = { ...room.instructor, ...entered.user, token: entered.access_token };
      await room.finish(own, 'laboratory', laboratory, [true, false]);
      await server.application.lti.grades.round();
      await room.finish(own, 'laboratory', laboratory, [true, true]);
      await server.application.lti.grades.round();
      // What came within the same second is sent again with a later time.
      await server.application.lti.grades.round();
      await room.finish({ ...own, ...hidden.user }, 'laboratory', laboratory, [false, true]);
      await sql`delete from attempts where user_id = ${own.id}`.execute(server.application.db);
      await server.application.lti.grades.round();
      await server.application.lti.grades.round();
      const scoresOf = (id: string) =>
        platform.scores
          .filter(({ userId }) => userId === id)
          .map(({ scoreGiven, gradingProgress }) => [scoreGiven, gradingProgress]);
      const [graded, cleared] = ['FullyGraded', [undefined, 'NotReady']];
      assert.deepEqual(scoresOf(student.id), [[1, graded], [3, graded], cleared]);
      assert.deepEqual(scoresOf(anonymous.id), [[2, graded]]);
      const [state] = await good(server.get(`/api/classes/${classId}/lti-courses`, admin.token));
      assert.deepEqual([state.waiting_grades, state.failed_grades, state.problem], [0, 0, null]);
    });
  });
