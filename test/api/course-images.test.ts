import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { maxImagesPerCourse } from '../../src/features/images/store.ts';
import { image } from '../made-assessment.ts';
import { itInRounds, rounds } from '../rounds.ts';
import { type Answer, TestServer, type TestUser } from '../server.ts';

const outcome = ({ status, code }: Answer) => [status, code];
/** Nothing listens there, so a pull fails. */
const host = '127.0.0.1:9';
let names = 0;
const reference = (): string => {
  names += 1;
  return `${host}/school/net-${names}:1`;
};
type Course = { id: number; path: string; section: number; owner: TestUser };

describe('images of courses', () => {
  let server: TestServer;
  let admin: TestUser;
  before(async () => {
    server = await TestServer.start({ REQUESTS_PER_MINUTE: '1000000' });
    admin = await server.user('admin');
  });
  after(() => server?.[Symbol.asyncDispose]());

  const made = async (path: string, { token }: TestUser, fields: object) => {
    const { status, body, text } = await server.post(path, token, fields);
    assert.equal(status, 201, text);
    return body;
  };
  const newCourse = async (): Promise<Course> => {
    names += 1;
    const owner = await server.user('instructor');
    const { id } = await made('/api/teaching/courses', owner, { name: `Course ${names}` });
    const path = `/api/teaching/courses/${id}`;
    return { id, path, owner, section: (await made(`${path}/sections`, owner, { name: 'Section' })).id };
  };
  const grant = async ({ id }: Course, fields: object) => {
    const answer = await server.put(`/api/admin/lessons/courses/${id}/grants`, admin.token, fields);
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  };
  const add = ({ path, owner }: Course, fields: object = {}) =>
    server.post(`${path}/images`, owner.token, { name: 'Net', reference: reference(), ...fields });
  const newImage = async (course: Course): Promise<{ id: number; reference: string }> => {
    await grant(course, { registries: [host] });
    const { status, body, text } = await add(course);
    assert.equal(status, 201, text);
    return body;
  };
  /** As after a pull that has passed, of an image that has another name as well. */
  const makeUsable = async (id: number): Promise<void> => {
    const values = { ...{ state: 'ready' as const, problem: null }, percent: 100, image_id: 'sha256:0' };
    const { db } = server.application;
    await db.updateTable('container_images').set(values).where('id', '=', id).execute();
  };
  const examWith = (container_image: string, { path, owner }: Course) =>
    server.post(`${path}/exams`, owner.token, {
      ...{ title: 'Exam', container_image, passing_score: 0, time_limit_minutes: 5 },
    });
  const listed = async (path: string, { token }: TestUser): Promise<string[]> =>
    (await server.get(path, token)).body.map((one: { reference: string }) => one.reference);

  it('are those that the project ships in a fresh installation', async () => {
    const { path, owner, section } = await newCourse();
    const { body } = await server.get(`${path}/grants`, owner.token);
    assert.deepEqual(body.common_images, [
      ...['platform-exam-linux-basics', 'platform-exam-linux-services', 'platform-sandbox'],
    ]);
    const fields = { title: 'First', container_image: image, passing_score: 0, section_id: section };
    await made(`${path}/laboratories`, owner, fields);
    assert.deepEqual((await listed(`${path}/images`, owner)).toSorted(), body.common_images);
  });

  it('come from the registries that administrators list', async () => {
    const course = await newCourse();
    assert.deepEqual(outcome(await add(course)), [403, 'not_granted']);
    for (const wrong of ['https://a.b', 'a.b/c', 'A.b', 'school', 'user@a.b', ''])
      assert.equal(
        (await server.put(`/api/admin/lessons/courses/${course.id}/grants`, admin.token, { registries: [wrong] }))
          .status,
        422,
        wrong,
      );
    assert.deepEqual((await grant(course, { registries: [host, 'registry.example.com'] })).registries, [
      ...[host, 'registry.example.com'],
    ]);
    for (const other of ['127.0.0.1:90/a:1', 'registry.example.com.attacker.test/a:1', 'registry.example.com:444/a:1'])
      assert.deepEqual(outcome(await add(course, { reference: other })), [403, 'not_granted'], other);
    const credential = { username: 'school', password: 'secret-of-the-course' };
    const added = await add(course, { credential });
    assert.deepEqual([added.status, added.body.course_id, added.body.username], [201, course.id, 'school'], added.text);
    assert.ok(!added.text.includes(credential.password));
    const at = `${course.path}/images/${added.body.id}`;
    assert.equal((await server.post(`${at}/pull`, course.owner.token)).status, 200);
    await grant(course, { registries: [] });
    assert.deepEqual(outcome(await server.post(`${at}/pull`, course.owner.token)), [403, 'not_granted']);
    const changed = (json: object) => server.put(at, course.owner.token, json);
    assert.deepEqual(outcome(await changed({ credential })), [403, 'not_granted']);
    assert.equal((await changed({ name: 'Renamed' })).body.name, 'Renamed');
    assert.equal((await server.delete(at, course.owner.token)).status, 200);
    assert.equal((await server.get(at, course.owner.token)).status, 404);
    for (const gone of [await changed({ name: 'No' }), await server.post(`${at}/pull`, course.owner.token)])
      assert.equal(gone.status, 404);
  });

  it('are bounded, also for concurrent requests', async () => {
    const course = await newCourse();
    await grant(course, { registries: [host] });
    const answers = await Promise.all(Array.from({ length: maxImagesPerCourse + 3 }, () => add(course)));
    const added = answers.filter(({ status }) => status === 201);
    assert.equal(added.length, maxImagesPerCourse);
    for (const { status, code } of answers)
      assert.ok(status === 201 || (status === 409 && code === 'too_many_images'), `${status} ${code}`);
    await server.delete(`${course.path}/images/${added[0]?.body.id}`, course.owner.token);
    assert.equal((await add(course)).status, 201);
  });

  it('are visible to their course and to administrators', async () => {
    const [course, other] = [await newCourse(), await newCourse()];
    const own = await newImage(course);
    await makeUsable(own.id);
    await made(`${course.path}/exams`, course.owner, {
      ...{ title: 'Exam', container_image: own.reference, passing_score: 0, time_limit_minutes: 5 },
    });
    assert.ok((await listed(`${course.path}/images`, course.owner)).includes(own.reference));
    await grant(other, { registries: [host] });
    // Also of a course without staff, whose exams are administrators'.
    const staff = server.application.db.deleteFrom('course_staff').where('course_id', '=', course.id);
    await staff.execute();
    await server.application.db.updateTable('assessments').set({ is_active: true }).execute();
    assert.ok(!(await listed(`${other.path}/images`, other.owner)).includes(own.reference));
    const { text } = await server.get(`${other.path}/grants`, other.owner.token);
    assert.ok(!text.includes(own.reference), text);
    assert.deepEqual(outcome(await examWith(own.reference, other)), [403, 'not_granted']);
    assert.deepEqual(outcome(await add(other, { reference: own.reference })), [409, 'image_exists']);
    const { body } = await server.get(`/api/admin/images/${own.id}`, admin.token);
    assert.deepEqual([body.course_id, body.reference], [course.id, own.reference]);
  });

  it('of administrators are changed by them alone', async () => {
    const course = await newCourse();
    const given = await made('/api/admin/images', admin, {
      ...{ name: 'Granted', reference: reference(), credential: { username: 'school', password: 'secret' } },
    });
    assert.ok(!(await listed(`${course.path}/images`, course.owner)).includes(given.reference));
    await grant(course, { images: [given.reference], registries: [host] });
    const { body } = await server.get(`${course.path}/images`, course.owner.token);
    const shown = body.find((one: { reference: string }) => one.reference === given.reference);
    assert.deepEqual([shown.id, shown.name, shown.username], [null, 'Granted', null]);
    for (const answer of [
      await server.get(`${course.path}/images/${given.id}`, course.owner.token),
      await server.put(`${course.path}/images/${given.id}`, course.owner.token, { name: 'No' }),
      await server.post(`${course.path}/images/${given.id}/pull`, course.owner.token),
      await server.delete(`${course.path}/images/${given.id}`, course.owner.token),
    ])
      assert.equal(answer.status, 404);
  });

  it('return with a course that is restored', async () => {
    const course = await newCourse();
    const [kept, removed] = [await newImage(course), await newImage(course)];
    assert.equal((await server.delete(course.path, course.owner.token)).status, 200);
    const read = async (id: number) => (await server.get(`/api/admin/images/${id}`, admin.token)).body;
    assert.equal((await read(kept.id)).course_id, null);
    assert.equal((await server.delete(`/api/admin/images/${removed.id}`, admin.token)).status, 200);
    const undone = { kind: 'course', entity_id: course.id };
    assert.equal((await server.post('/api/deletions/undo', course.owner.token, undone)).status, 200);
    assert.equal((await read(kept.id)).course_id, course.id);
    assert.ok(!(await listed(`${course.path}/images`, course.owner)).includes(removed.reference));
  });

  it('are in pages of a list', async () => {
    const course = await newCourse();
    const own = [await newImage(course), await newImage(course)].map((one) => one.reference);
    const whole = await listed(`${course.path}/images`, course.owner);
    assert.deepEqual(whole.slice(-2), own);
    const paged: string[] = [];
    for (let page = 1; paged.length < whole.length; page += 1) {
      const part = await listed(`${course.path}/images?page_size=2&page=${page}`, course.owner);
      assert.ok(part.length === 2 || paged.length + part.length === whole.length, `page ${page}`);
      paged.push(...part);
    }
    assert.deepEqual(paged, whole);
  });

  it('are saved only while they can be used', async () => {
    const course = await newCourse();
    const { id, reference: name } = await newImage(course);
    const template = (image: string) => ({ name: `Shell of ${image}`, image, memory_mb: 64, cpus: 1 });
    const unusable = [409, 'image_not_usable'];
    const saveAll = async () => [
      outcome(await examWith(name, course)),
      outcome(await server.post('/api/admin/sandbox-templates', admin.token, template(name))),
    ];
    assert.deepEqual(await saveAll(), [unusable, unusable]);
    await makeUsable(id);
    const exam = await examWith(name, course);
    const shell = await server.post('/api/admin/sandbox-templates', admin.token, template(name));
    assert.deepEqual([exam.status, shell.status], [201, 201]);
    const remove = () => server.delete(`${course.path}/images/${id}`, course.owner.token);
    assert.deepEqual(outcome(await remove()), [409, 'image_in_use']);
    await server.delete(`/api/admin/sandbox-templates/${shell.body.id}`, admin.token);
    assert.deepEqual(outcome(await remove()), [409, 'image_in_use']);
    const exported = (await server.get(`${course.path}/export?format=json`, course.owner.token)).body;
    assert.equal((await server.delete(`${course.path}/exams/${exam.body.id}`, course.owner.token)).status, 200);
    assert.equal((await remove()).status, 200);
    // At the door of the course, it is nobody's any more.
    assert.deepEqual(await saveAll(), [[403, 'not_granted'], unusable]);
    const byAdmin = { title: 'Exam', container_image: name, passing_score: 0, time_limit_minutes: 5 };
    assert.deepEqual(outcome(await server.post('/api/admin/exams', admin.token, byAdmin)), unusable);
    const other = await made('/api/admin/exams', admin, { ...byAdmin, container_image: image });
    const changed = await server.put(`/api/admin/exams/${other.id}`, admin.token, { container_image: name });
    assert.deepEqual(outcome(changed), unusable);
    const undone = { kind: 'exam', entity_id: exam.body.id };
    assert.deepEqual(outcome(await server.post('/api/deletions/undo', course.owner.token, undone)), unusable);
    const back = { kind: 'sandbox_template', entity_id: shell.body.id };
    assert.deepEqual(outcome(await server.post('/api/deletions/undo', admin.token, back)), unusable);
    const files = { files: exported.files };
    assert.deepEqual(outcome(await server.post(`${course.path}/import`, admin.token, files)), [403, 'not_granted']);
    await grant(course, { images: [name] });
    assert.deepEqual(outcome(await server.post(`${course.path}/import`, admin.token, files)), unusable);
    // Added once more, it is the course's again.
    assert.equal((await add(course, { reference: name })).body.id, id);
  });

  itInRounds('are removed or saved, if both happen concurrently', async () => {
    const course = await newCourse();
    for (let round = 0; round < rounds(20, 100, 3); round += 1) {
      const { id, reference: name } = await newImage(course);
      await makeUsable(id);
      const [saved, removed] = await Promise.all([
        examWith(name, course),
        server.delete(`${course.path}/images/${id}`, course.owner.token),
      ]);
      const [isSaved, isRemoved] = [saved.status === 201, removed.status === 200];
      assert.notEqual(isSaved, isRemoved, `${saved.text} ${removed.text}`);
      if (isSaved) await server.delete(`${course.path}/exams/${saved.body.id}`, course.owner.token);
      await server.delete(`${course.path}/images/${id}`, course.owner.token);
    }
  });
});
