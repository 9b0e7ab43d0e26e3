import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { shippedImages } from '../../images/definitions.ts';
import { blankPng } from '../blank-png.ts';
import { image } from '../made-assessment.ts';
import { type Answer, engineSkip, TestServer, type TestUser } from '../server.ts';
import { until } from '../until.ts';
import { type CourseIds, CourseStaffWorld } from './course-staff-world.ts';

const at = ({ course }: Pick<CourseIds, 'course'>, rest = ''): string => `/api/teaching/courses/${course}${rest}`;
const outcome = ({ status, code }: Answer) => [status, code];

describe('courses of teachers', { skip: engineSkip }, () => {
  let world: CourseStaffWorld;
  let server: TestServer;
  let owner: TestUser;
  let ids: CourseIds;
  before(async () => {
    server = await TestServer.start({ REQUESTS_PER_MINUTE: '1000000' });
    world = await CourseStaffWorld.make(server);
    owner = await server.user('instructor');
    ids = await world.course(owner);
  });
  after(() => server?.[Symbol.asyncDispose]());

  const colleague = async (
    role: 'owner' | 'editor' | 'viewer',
    of: Pick<CourseIds, 'course'> = ids,
  ): Promise<TestUser> => {
    const user = await server.user('instructor');
    await world.addStaff(of, user, role);
    return user;
  };

  describe('are created', () => {
    it('by instructors, who own them', async () => {
      const { status, body } = await server.post('/api/teaching/courses', owner.token, { name: 'Mine' });
      assert.deepEqual([status, body.my_role, body.slug], [201, 'owner', 'mine']);
      const student = await server.user('student');
      assert.deepEqual(outcome(await server.post('/api/teaching/courses', student.token, { name: 'No' })), [
        ...[403, 'instructor_required'],
      ]);
      const foreign = { name: 'No', repository_id: 1 };
      assert.equal((await server.post('/api/teaching/courses', owner.token, foreign)).status, 404);
    });

    it('by administrators only with COURSE_CREATORS=admins', async () => {
      await using other = await TestServer.start({ COURSE_CREATORS: 'admins' });
      const [teacher, admin] = [await other.user('instructor'), await other.user('admin')];
      const create = (user: TestUser) => other.post('/api/teaching/courses', user.token, { name: 'Course' });
      assert.deepEqual(outcome(await create(teacher)), [403, 'admin_required']);
      assert.equal((await create(admin)).status, 201);
      assert.equal((await other.get('/api/site')).body.course_creators, 'admins');
    });

    it('and listed for those who teach them', async () => {
      const viewer = await colleague('viewer');
      const { body } = await server.get('/api/teaching/courses', viewer.token);
      assert.deepEqual(
        body.map(({ id, my_role }: { id: number; my_role: string }) => [id, my_role]),
        [[ids.course, 'viewer']],
      );
      const { body: all } = await server.get('/api/teaching/courses', world.admin.token);
      assert.ok(all.length > 1);
      assert.ok(all.every(({ my_role }: { my_role: null }) => my_role === null));
    });
  });

  describe('have staff', () => {
    it('whose owners and editors their readers know by name, and nobody else does', async () => {
      const { body } = await server.post('/api/teaching/courses', owner.token, { name: 'Known by name' });
      const own = { course: body.id };
      const [editor, viewer] = [await colleague('editor', own), await colleague('viewer', own)];
      await server.put('/api/profile/me', editor.token, { full_name: 'Ada Byron' });
      const student = await server.user('student');
      const teachers = async () => await server.get(`/api/lessons/courses/${own.course}/teachers`, student.token);
      assert.deepEqual((await teachers()).body, [owner.username, 'Ada Byron'], `without ${viewer.username}`);
      await server.put(at(own, ''), world.admin.token, { is_active: false });
      assert.equal((await teachers()).status, 404);
    });

    it('whom owners add by id, name or address, once, and no students', async () => {
      const [teacher, student] = [await server.user('instructor'), await server.user('student')];
      const add = (json: object) => server.post(at(ids, '/staff'), owner.token, json);
      const { status, body } = await add({ username: teacher.email, role: 'editor' });
      assert.deepEqual([status, body.user_id, body.role], [201, teacher.id, 'editor']);
      assert.deepEqual(outcome(await add({ user_id: teacher.id, role: 'viewer' })), [409, 'already_staff']);
      assert.equal((await add({ user_id: student.id, role: 'viewer' })).status, 422);
      assert.equal((await add({ username: 'nobody at all', role: 'viewer' })).status, 404);
      assert.equal((await add({ role: 'viewer' })).status, 422);
      const editor = await server.post(at(ids, '/staff'), teacher.token, { user_id: owner.id, role: 'viewer' });
      assert.deepEqual(outcome(editor), [403, 'owner_only']);
    });

    it('that everybody can leave but the last owner', async () => {
      const own = await world.course(owner);
      const viewer = await colleague('viewer', own);
      assert.equal((await server.delete(at(own, `/staff/${viewer.id}`), viewer.token)).status, 200);
      assert.equal((await server.get(at(own), viewer.token)).status, 404);
      const last = () => server.delete(at(own, `/staff/${owner.id}`), owner.token);
      assert.deepEqual(outcome(await last()), [409, 'last_owner']);
      const role = (user: TestUser, to: string) => server.put(at(own, `/staff/${user.id}`), owner.token, { role: to });
      assert.deepEqual(outcome(await role(owner, 'editor')), [409, 'last_owner']);
      const second = await colleague('editor', own);
      assert.equal((await role(second, 'owner')).body.role, 'owner');
      assert.equal((await last()).status, 200);
    });

    it('that loses all of it when it is demoted', async () => {
      const own = await world.course(owner);
      const former = await colleague('owner', own);
      await server.put(`/api/admin/users/${former.id}/role`, world.admin.token, { role: 'student' });
      assert.equal((await server.get(at(own), former.token)).status, 404);
      // A student does not count as an owner either.
      assert.deepEqual(outcome(await server.delete(at(own, `/staff/${owner.id}`), owner.token)), [409, 'last_owner']);
    });
  });

  describe('have content of their own', () => {
    it('which students see as that of administrators', async () => {
      const own = await world.course(owner);
      const editor = await colleague('editor', own);
      const { body } = await server.put(at(own, `/exams/${own.exam}`), editor.token, { title: 'Renamed' });
      assert.deepEqual([body.title, body.course_id], ['Renamed', own.course]);
      const tree = await server.get(`/api/lessons/courses/${own.course}`, (await server.user()).token);
      assert.deepEqual(tree.body.sections[0].themes[0].title, 'Theme');
      const viewer = await colleague('viewer', own);
      const read = await server.get(at(own, `/exams/${own.exam}/tasks`), viewer.token);
      assert.equal(read.body[0].verification_script, 'echo FAIL');
      const changed = await server.put(at(own, `/exams/${own.exam}`), viewer.token, { title: 'No' });
      assert.deepEqual(outcome(changed), [403, 'viewer']);
    });

    it('which its staff read while it is hidden, and nobody else', async () => {
      const own = await world.course(owner);
      // There can be 20 of them in all.
      await server.delete(at(own, `/repositories/${own.repository}`), owner.token);
      const viewer = await colleague('viewer', own);
      const other = await server.user('instructor');
      const hide = { is_active: false };
      const reads = async (user: TestUser): Promise<number[]> => {
        const paths = [`courses/${own.course}`, `themes/${own.theme}`];
        const answers = await Promise.all(paths.map((path) => server.get(`/api/lessons/${path}`, user.token)));
        const { body } = await server.get(`/api/lessons/courses/${own.course}`, user.token);
        return [...answers.map(({ status }) => status), body.sections?.length ?? 0];
      };
      await server.put(at(own, `/sections/${own.section}`), owner.token, hide);
      assert.deepEqual(await reads(viewer), [200, 200, 1]);
      assert.deepEqual(await reads(other), [200, 404, 0]);
      await server.put(at(own), owner.token, hide);
      assert.deepEqual(await reads(viewer), [200, 200, 1]);
      assert.deepEqual(await reads(other), [404, 404, 0]);
      assert.deepEqual(await reads(await server.user()), [404, 404, 0]);
      await server.delete(at(own, `/staff/${viewer.id}`), owner.token);
      assert.deepEqual(await reads(viewer), [404, 404, 0]);
    });

    it('and no laboratory without a section of theirs', async () => {
      const fields = { title: 'Laboratory', container_image: image, passing_score: 0, is_active: false };
      const create = (more: object) => server.post(at(ids, '/laboratories'), owner.token, { ...fields, ...more });
      assert.equal((await create({})).status, 422);
      assert.equal((await create({ section_id: null })).status, 404);
      const path = at(ids, `/laboratories/${ids.laboratory}`);
      assert.equal((await server.put(path, owner.token, { section_id: null })).status, 404);
      const exam = at(ids, `/exams/${ids.exam}`);
      assert.equal((await server.put(exam, owner.token, { course_id: null })).status, 404);
      assert.equal((await server.put(`${exam}?course_id=${ids.course}`, owner.token, {})).status, 200);
    });

    it('and not that of others among the changes of a trial', async () => {
      const others = await world.course(await server.user('instructor'));
      for (const act of ['try', 'publish']) {
        const fields = { section_id: others.section };
        const path = at(ids, `/laboratories/${ids.laboratory}/${act}`);
        assert.equal((await server.post(path, owner.token, { fields })).status, 404);
        const tasks = [{ id: others.laboratoryTask, title: 'No' }];
        assert.equal((await server.post(path, owner.token, { tasks })).status, 404);
      }
    });
  });

  describe('use what administrators grant', () => {
    const grant = (of: CourseIds, json: object) =>
      server.put(`/api/admin/lessons/courses/${of.course}/grants`, world.admin.token, json);

    it('of images, and root for students', async () => {
      const own = await world.course(owner);
      const exam = at(own, `/exams/${own.exam}`);
      const set = (json: object) => server.put(exam, owner.token, json);
      assert.deepEqual(outcome(await set({ container_image: 'of-another-course' })), [403, 'not_granted']);
      const inTrial = { fields: { container_image: 'of-another-course' } };
      assert.deepEqual(outcome(await server.post(`${exam}/try`, owner.token, inTrial)), [403, 'not_granted']);
      const { body } = await grant(own, { images: ['of-another-course'] });
      assert.deepEqual([body.images, body.common_images], [['of-another-course'], shippedImages.toSorted()]);
      assert.equal((await set({ container_image: 'of-another-course' })).status, 200);
      await set({ container_image: 'platform-sandbox' });
      assert.deepEqual(outcome(await set({ user: 'root' })), [403, 'not_granted']);
      await grant(own, { has_root: true, images: [] });
      assert.equal((await set({ user: 'root' })).status, 200);
      // What is there stays, and can be sent back.
      await grant(own, { has_root: false });
      assert.equal((await set({ user: 'root', container_image: 'platform-sandbox' })).status, 200);
      assert.equal((await server.get(at(own, '/grants'), owner.token)).body.has_root, false);
    });

    it('of sandbox templates, and of those with internet', async () => {
      const own = await world.course(owner);
      const template = { name: 'Internet', image, memory_mb: 64, cpus: 1, has_internet: true };
      const { id } = await world.made('POST', '/api/admin/sandbox-templates', world.admin, template);
      for (const path of [at(own), at(own, `/sections/${own.section}`), at(own, `/themes/${own.theme}`)]) {
        const set = (template_id: number | null) => server.put(path, owner.token, { template_id });
        assert.equal((await set(world.template)).status, 200);
        assert.equal((await set(id)).status, 404);
        await grant(own, { has_internet: true });
        assert.equal((await set(id)).status, 200);
        await grant(own, { has_internet: false });
        assert.equal((await set(id)).status, 200);
        assert.equal((await set(null)).status, 200);
      }
    });
  });

  it('have one lesson repository of their own, if it is granted', async () => {
    const [own, others] = [await world.course(owner), await world.course(owner)];
    const path = at(own, '/repositories');
    const second = { name: 'Second', url: `https://127.0.0.1:1/second-${own.course}.git` };
    assert.deepEqual(outcome(await server.post(path, owner.token, second)), [409, 'conflict']);
    const read = (repository_id: number | null) => server.put(at(own), owner.token, { repository_id });
    const foreign = await world.made('POST', '/api/admin/lessons/repositories', world.admin, second);
    for (const id of [others.repository, foreign.id]) assert.equal((await read(id)).status, 404);
    assert.equal((await read(own.repository)).body.repository_id, own.repository);
    const { body } = await server.get(path, owner.token);
    assert.deepEqual(
      body.map(({ id, courses }: { id: number; courses: { id: number }[] }) => [id, courses.map((one) => one.id)]),
      [[own.repository, [own.course]]],
    );
    assert.deepEqual(outcome(await server.delete(`${path}/${own.repository}`, owner.token)), [
      409,
      'repository_in_use',
    ]);
    assert.equal((await read(null)).status, 200);
    assert.equal((await server.delete(`${path}/${own.repository}`, owner.token)).status, 200);
    const grants = `/api/admin/lessons/courses/${own.course}/grants`;
    await server.put(grants, world.admin.token, { has_repository: false });
    const again = await server.post(path, owner.token, { ...second, url: `${second.url}/x` });
    assert.deepEqual(outcome(again), [403, 'not_granted']);
  });

  describe('undo deletions', () => {
    const undo = (user: TestUser, kind: string, entity_id: number) =>
      server.post('/api/deletions/undo', user.token, { kind, entity_id });

    it('of those who may change the course still', async () => {
      const own = await world.course(owner);
      const editor = await colleague('editor', own);
      for (const [kind, path] of [
        ['exam_task', `/exams/${own.exam}/tasks/${own.examTask}`],
        ['laboratory', `/laboratories/${own.laboratory}`],
        ['theme', `/themes/${own.theme}`],
        ['section', `/sections/${own.section}`],
      ] as const) {
        const id = Number(path.split('/').at(-1));
        assert.equal((await server.delete(at(own, path), editor.token)).status, 200, path);
        assert.equal((await undo(owner, kind, id)).status, 404, path);
        assert.equal((await undo(editor, kind, id)).status, 200, path);
        assert.equal((await server.get(at(own, path), editor.token)).status, 200, path);
      }
      await server.delete(at(own, `/themes/${own.theme}`), editor.token);
      await server.put(at(own, `/staff/${editor.id}`), owner.token, { role: 'viewer' });
      assert.deepEqual(outcome(await undo(editor, 'theme', own.theme)), [403, 'forbidden']);
    });

    it('of a course with its staff, whose exams are hidden meanwhile', async () => {
      const own = await world.course(owner);
      const editor = await colleague('editor', own);
      const { db } = server.application;
      await db
        .updateTable('assessments')
        .set({ is_active: true })
        .where('id', 'in', [own.exam, own.laboratory])
        .execute();
      assert.deepEqual(outcome(await server.delete(at(own), editor.token)), [403, 'owner_only']);
      assert.equal((await server.delete(at(own), owner.token)).status, 200);
      const student = await server.user();
      const seen = async () => [
        (await server.get(`/api/exams/${own.exam}`, student.token)).status,
        (await server.get(`/api/laboratories/${own.laboratory}`, student.token)).status,
      ];
      await until(async () => (await seen()).every((status) => status === 404), 'hidden exams');
      assert.equal((await server.get(at(own, `/exams/${own.exam}`), owner.token)).status, 404);
      assert.equal((await undo(owner, 'course', own.course)).status, 200);
      await until(async () => (await seen()).every((status) => status === 200), 'the exams');
      assert.equal((await server.get(at(own, '/sections'), editor.token)).body.length, 1);
    });

    it('of an exam only while there is its course', async () => {
      const own = await world.course(owner);
      await server.delete(at(own, `/exams/${own.exam}`), owner.token);
      await server.delete(at(own), owner.token);
      assert.deepEqual(outcome(await undo(owner, 'exam', own.exam)), [409, 'restore_parent_deleted']);
    });

    it('of a course by nobody who was its owner and is a student now', async () => {
      const own = await world.course(owner);
      const second = await colleague('owner', own);
      await server.delete(at(own), second.token);
      await server.put(`/api/admin/users/${second.id}/role`, world.admin.token, { role: 'student' });
      assert.deepEqual(outcome(await undo(second, 'course', own.course)), [403, 'admin_required']);
    });
  });

  describe('have lessons that are written in the pages', () => {
    it('in a folder of their own, out of which no text leads', async () => {
      const others = await world.course(await server.user('instructor'));
      const file = async (of: CourseIds) =>
        (await server.get(at(of, `/written-lessons/${of.written}`), world.admin.token)).body;
      const [own, foreign] = [await file(ids), await file(others)];
      assert.equal(own.path, `courses/${ids.course}/lesson.md`);
      const list = await server.get(at(ids, '/written-lessons'), owner.token);
      assert.ok(list.body.every(({ path }: { path: string }) => path.startsWith(`courses/${ids.course}/`)));
      const put = (json: object) => server.put(at(ids, `/themes/${ids.theme}`), owner.token, json);
      for (const markdown_file_path of [foreign.path, 'lesson.md', `courses/${ids.course}`]) {
        assert.equal((await put({ markdown_file_path, is_written: true })).status, 404, markdown_file_path);
        const query = new URLSearchParams({ markdown_file_path, is_written: 'true' });
        const inQuery = await server.put(at(ids, `/themes/${ids.theme}?${query}`), owner.token);
        assert.equal(inQuery.status, 404, markdown_file_path);
      }
      // Neither of the two is refused alone.
      await put({ markdown_file_path: own.path, is_written: false });
      const apart = at(ids, `/themes/${ids.theme}?is_written=true`);
      assert.equal((await server.put(apart, owner.token, { markdown_file_path: foreign.path })).status, 404);
      assert.equal((await put({ markdown_file_path: own.path, is_written: true })).status, 200);
      assert.equal((await put({ markdown_file_path: foreign.path })).status, 404);
      const picture = async (of: CourseIds): Promise<string> => {
        const sent = { token: world.admin.token, headers: { 'content-type': 'application/octet-stream' } };
        const path = at(of, '/written-lessons/pictures?name=plan.png');
        const { body } = await server.request('POST', path, { ...sent, body: Uint8Array.from(blankPng(1)) });
        return body.path;
      };
      const [mine, theirs] = [await picture(ids), await picture(others)];
      const text = `![Theirs](/${theirs}) ![mine](/${mine})`;
      await server.put(at(ids, `/written-lessons/${ids.written}`), owner.token, { text });
      const through = (path: string) =>
        server.get(`/api/lessons/themes/${ids.theme}/files/${encodeURIComponent(`/${path}`)}`, owner.token);
      assert.equal((await through(mine)).status, 200);
      assert.equal((await through(theirs)).status, 404);
      const content = (path: string) => server.get(at(ids, `/written-lessons/content?path=${path}`), owner.token);
      assert.deepEqual([(await content(mine)).status, (await content(theirs)).status], [200, 404]);
    });

    it('also when they were written elsewhere before', async () => {
      const path = `elsewhere-${ids.course}.md`;
      await world.made('POST', '/api/admin/written-lessons', world.admin, { path, text: '# Elsewhere' });
      const fields = { section_id: ids.section, title: 'Elsewhere', markdown_file_path: path, is_written: true };
      const { id } = await world.made('POST', '/api/admin/lessons/themes', world.admin, fields);
      const { status, body } = await server.post(at(ids, `/themes/${id}/write`), owner.token);
      assert.deepEqual([status, body.path, body.text], [200, `courses/${ids.course}/${path}`, '# Elsewhere']);
      const theme = await server.get(at(ids, `/themes/${id}`), owner.token);
      assert.equal(theme.body.markdown_file_path, body.path);
    });
  });

  describe('are exported and imported', () => {
    type Archived = { path: string; text?: string };
    const exported = async (of: CourseIds): Promise<Archived[]> => {
      const { status, body, text } = await server.get(at(of, '/export'), owner.token);
      assert.equal(status, 200, text);
      return body.files;
    };
    const load = (of: CourseIds, files: Archived[], more = {}) =>
      server.post(at(of, '/import'), owner.token, { files, ...more });

    it('into themselves without a change, and into another course as drafts', async () => {
      const [from, into] = [await world.course(owner), await world.course(owner)];
      const files = await exported(from);
      const again = await load(from, files);
      assert.equal(again.status, 200, again.text);
      assert.ok(
        again.body.every(({ action }: { action: string }) => action === 'unchanged'),
        again.text,
      );
      const dry = await load(into, files, { is_dry_run: true });
      assert.equal(dry.status, 200, dry.text);
      assert.equal((await server.get(at(into, '/exams'), owner.token)).body.length, 1);
      const { status, text } = await load(into, files);
      assert.equal(status, 200, text);
      const exams = (await server.get(at(into, '/exams'), owner.token)).body;
      const original = (await server.get(at(from, `/exams/${from.exam}`), owner.token)).body;
      const copy = exams.find(({ title }: { title: string }) => title === original.title);
      assert.deepEqual(
        [copy.slug, copy.is_active, copy.tasks[0].verification_script],
        [`${original.slug}-2`, false, 'echo FAIL'],
      );
      const written = (await server.get(at(into, '/written-lessons'), owner.token)).body;
      assert.deepEqual(
        written.map(({ path }: { path: string }) => path),
        [`courses/${into.course}/lesson.md`],
      );
      // The name is taken by what the course was copied from, which is as it was.
      assert.deepEqual((await server.get(at(from, `/exams/${from.exam}`), owner.token)).body, original);
    });

    it('without reaching other courses, what is not granted, or out of the folder', async () => {
      const own = await world.course(owner);
      const others = await world.course(await server.user('instructor'));
      const { db } = server.application;
      await db.updateTable('assessments').set({ slug: 'taken' }).where('id', '=', others.exam).execute();
      await db.updateTable('assessments').set({ slug: 'mine' }).where('id', '=', own.exam).execute();
      const files = await exported(own);
      const edited = (from: RegExp, to: string) =>
        files.map(({ path, text, ...rest }) => ({
          ...rest,
          path: path.replace(from, to),
          ...(text === undefined ? {} : { text: path.endsWith('.yaml') ? text.replace(from, to) : text }),
        }));
      const before = await server.get(at(others, `/exams/${others.exam}`), world.admin.token);
      const taken = await load(own, edited(/\bmine\b/, 'taken'));
      assert.equal(taken.status, 200, taken.text);
      assert.ok(
        taken.body.some(({ name }: { name: string }) => name === 'taken-2'),
        taken.text,
      );
      assert.deepEqual((await server.get(at(others, `/exams/${others.exam}`), world.admin.token)).body, before.body);
      const image2 = await load(own, edited(/container_image: .*/, 'container_image: unknown-image'));
      assert.deepEqual(outcome(image2), [403, 'not_granted']);
      for (const path of ['../out.md', '/etc/out.md', 'a//b.md', 'a/../../b.md'])
        assert.equal((await load(own, [...files, { path, text: '' }])).status, 422, path);
      assert.equal((await load(own, [...files, { path: 'courses/broken.yaml', text: 'kind: course' }])).status, 422);
    });
  });

  it('keep an exam to its sessions when one of the staff plans the first one', async () => {
    const { db } = server.application;
    const plan = async (planner: TestUser): Promise<boolean> => {
      const own = await world.course(owner);
      await world.addStaff(own, planner, 'editor').catch(() => undefined);
      await db.updateTable('assessments').set({ is_active: true }).where('id', '=', own.exam).execute();
      const { id: class_id } = await world.made('POST', '/api/classes', planner, { name: 'Class' });
      const times = { opens_at: '2020-01-01T00:00:00Z', closes_at: '2099-01-01T00:00:00Z' };
      await world.made('POST', '/api/exam-sessions', planner, { exam_id: own.exam, class_id, ...times });
      return (await server.get(at(own, `/exams/${own.exam}`), owner.token)).body.is_session_only;
    };
    assert.equal(await plan(await server.user('instructor')), true);
  });

  it('have a share of the trials', async () => {
    const own = await world.course(owner);
    const stop = new AbortController();
    const start = () =>
      fetch(`${server.url}${at(own, `/exams/${own.exam}/try`)}`, {
        ...{ method: 'POST', signal: stop.signal, headers: { authorization: `Bearer ${owner.token}` } },
      }).catch(() => undefined);
    const answers = await Promise.race([start(), start(), start()]);
    assert.deepEqual([answers?.status, answers?.headers.get('error-code')], [429, 'too_many_requests']);
    stop.abort();
  });
});
