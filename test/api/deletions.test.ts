import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { loadConfig } from '../../src/config.ts';
import { deleteUnusedStates } from '../../src/database/catalogue/revisions.ts';
import { DueStore } from '../../src/features/notifications/due-store.ts';
import { openSession } from '../exam-session.ts';
import { finishAttempt } from '../finished-attempt.ts';
import { makeAssessment } from '../made-assessment.ts';
import { type Answer, TestServer, type TestUser } from '../server.ts';

/** Tables that a restoration does not have to leave as they were: records, counts, versions, and what chores fill again. */
const ignored = [
  ...['activity_log', 'deletions', 'deleted_rows', 'lesson_texts', 'containers', 'assessment_revisions'],
  'progress_versions',
];

describe('what was deleted', () => {
  let server: TestServer;
  let admin: TestUser;
  let teacher: TestUser;
  let student: TestUser;
  before(async () => {
    server = await TestServer.start({ maxNotesPerUser: 2 });
    [admin, teacher, student] = [await server.user('admin'), await server.user('instructor'), await server.user()];
  });
  after(() => server?.[Symbol.asyncDispose]());

  const create = async (path: string, fields: object, { token } = admin): Promise<number> => {
    const { status, body, text } = await server.post(`/api/${path}`, token, fields);
    assert.equal(status, 201, text);
    return body.id;
  };
  const remove = async (path: string, { token } = admin) =>
    assert.equal((await server.delete(`/api/${path}`, token)).status, 200);
  const undo = async (kind: string, entity_id: number, { token } = admin) =>
    await server.post('/api/deletions/undo', token, { kind, entity_id });
  const listed = async () => (await server.get('/api/admin/deletions?page_size=100', admin.token)).body;
  const deletionOf = async (id: number) =>
    (await listed()).find((entry: { entity_id: number }) => entry.entity_id === id);
  const refusal = ({ status, code }: Answer) => [status, code];

  /** All rows of the database, by table. */
  const everything = async (): Promise<Record<string, string[]>> => {
    const { db } = server.application;
    // Otherwise the service may write what is due between two looks.
    await new DueStore(db, loadConfig({}).notifications).write();
    const { rows: tables } = await sql<{ name: string }>`select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not like '%count%' order by 1`.execute(
      db,
    );
    const all: Record<string, string[]> = {};
    for (const { name } of tables.filter((table) => !ignored.includes(table.name))) {
      // A deletion and its undoing are changes of an exam.
      const row = name === 'assessments' ? sql`(to_jsonb(t) - 'revision')::text` : sql`t::text`;
      const { rows } = await sql<{ row: string }>`select ${row} as row from ${sql.table(name)} t order by 1`.execute(
        db,
      );
      all[name] = rows.map(({ row }) => row);
    }
    return all;
  };

  const course = async (name: string) => {
    const course_id = await create('admin/lessons/courses', { name, icon: 'terminal' });
    const section_id = await create('admin/lessons/sections', { name: 'Section', course_id });
    const lesson = { title: 'Lesson', section_id, markdown_file_path: 'a.md' };
    const theme_id = await create('admin/lessons/themes', lesson);
    return { course_id, section_id, theme_id };
  };

  it('is restored with everything that was deleted with it, or referred to it: a course', async () => {
    const { course_id, section_id, theme_id } = await course('Linux');
    await makeAssessment(server, admin, 'laboratory', ['true'], { section_id });
    await makeAssessment(server, admin, 'exam', ['true'], { course_id });
    await server.post(`/api/lessons/themes/${theme_id}/complete`, student.token);
    await create('notes', { theme_id, excerpt: 'A text', text: 'Why?' }, student);
    await create('classes', { name: 'Of the course', course_ids: [course_id] }, teacher);
    const before = await everything();
    await remove(`admin/lessons/courses/${course_id}`);
    assert.equal((await server.get(`/api/lessons/themes/${theme_id}`, student.token)).status, 404);
    const restored = await undo('course', course_id);
    assert.deepEqual(restored.body, { kind: 'course', entity_id: course_id, title: 'Linux' });
    assert.deepEqual(await everything(), before);
    assert.equal((await server.get(`/api/lessons/themes/${theme_id}`, student.token)).body.is_completed, true);
    assert.equal((await undo('course', course_id)).status, 404);
  });

  it('is restored with everything that was deleted with it, or referred to it: a class', async () => {
    const exam_id = await makeAssessment(server, admin, 'exam', ['true']);
    const laboratory = await makeAssessment(server, admin, 'laboratory', ['true']);
    const class_id = await create('classes', { name: 'Class' }, teacher);
    await create(`classes/${class_id}/members`, { user_id: student.id }, teacher);
    await create(`classes/${class_id}/join-codes`, {}, teacher);
    const times = { opens_at: new Date(Date.now() - 7_200_000), closes_at: new Date(Date.now() + 3_600_000) };
    const rules = { results_visible: 'never', networks: ['10.0.0.0/8'], access_code: 'secret' };
    const session = await create('exam-sessions', { exam_id, class_id, ...times, ...rules }, teacher);
    await server.put(`/api/exam-sessions/${session}/accommodations/${student.id}`, teacher.token, { time_factor: 1.5 });
    await server.put(`/api/classes/${class_id}/deadlines/${laboratory}`, teacher.token, { due_at: times.closes_at });
    const column = await create(`classes/${class_id}/grade-columns`, { name: 'Oral', max_score: 10 }, teacher);
    await server.put(`/api/classes/${class_id}/grade-columns/${column}/values/${student.id}`, teacher.token, {
      value: 7.25,
    });
    await create('announcements', { class_id, title: 'Welcome' }, teacher);
    const attempt = await finishAttempt(server, student, 'exam', exam_id, [true]);
    const { db } = server.application;
    await db.updateTable('attempts').set({ session_id: session }).where('id', '=', attempt).execute();
    const before = await everything();
    await remove(`classes/${class_id}`, teacher);
    assert.notDeepEqual(await everything(), before);
    assert.equal((await undo('class', class_id, teacher)).status, 200);
    assert.deepEqual(await everything(), before);
  });

  it('is restored with everything that was deleted with it, or referred to it: an exam session for chosen students', async () => {
    const exam_id = await makeAssessment(server, admin, 'exam', ['true']);
    const session = await openSession(server, admin, { exam_id, user_ids: [student.id], access_code: 'secret' });
    const at = `exam-sessions/${session.id}`;
    await server.put(`/api/${at}/accommodations/${student.id}`, admin.token, { time_factor: 2 });
    const attempt = await finishAttempt(server, student, 'exam', exam_id, [true]);
    const { db } = server.application;
    await db.updateTable('attempts').set({ session_id: session.id }).where('id', '=', attempt).execute();
    const before = await everything();
    await remove(at);
    assert.equal((await server.get(`/api/${at}`, student.token)).status, 404);
    assert.equal((await undo('exam_session', session.id)).status, 200);
    assert.deepEqual(await everything(), before);
    assert.equal((await server.get(`/api/${at}`, student.token)).body.my_role, 'student');
  });

  it('is restored with its files, also after unused files were deleted, and as attempts had begun with it: an exam and a task', async () => {
    const id = await makeAssessment(server, admin, 'exam', ['true', 'false']);
    const headers = { 'content-type': 'application/octet-stream' };
    const file = `/api/admin/exams/${id}/files?path=/home/student/a`;
    const added = await server.request('PUT', file, { token: admin.token, headers, body: 'Hello' });
    assert.equal(added.status, 201, added.text);
    const [task] = (await server.get(`/api/exams/${id}`, student.token)).body.tasks;
    const { db } = server.application;
    await sql`update setup_contents set created_at = now() - interval '1 day'`.execute(db);
    const before = await everything();
    await remove(`admin/exams/${id}`);
    await deleteUnusedStates(db);
    assert.equal((await undo('exam', id)).status, 200);
    assert.deepEqual(await everything(), before);
    await finishAttempt(server, student, 'exam', id, [true, false]);
    const attempted = await everything();
    await remove(`admin/exams/${id}/tasks/${task.id}`);
    assert.equal((await undo('exam_task', task.id)).status, 200);
    assert.deepEqual(await everything(), attempted);
  });

  it('can be undone by who deleted it, for some minutes', async () => {
    const class_id = await create('classes', { name: 'Another' }, teacher);
    const announcement = await create('announcements', { class_id, title: 'Moved' }, teacher);
    await remove(`announcements/${announcement}`, teacher);
    for (const other of [admin, student, await server.user('instructor')])
      assert.equal((await undo('announcement', announcement, other)).status, 404);
    const { db } = server.application;
    const membership = db.updateTable('class_members').where('class_id', '=', class_id);
    await membership.set({ role: 'assistant' }).execute();
    assert.deepEqual(refusal(await undo('announcement', announcement, teacher)), [403, 'forbidden']);
    await membership.set({ role: 'instructor' }).execute();
    await sql`update deletions set deleted_at = now() - interval '11 minutes'`.execute(db);
    assert.equal((await undo('announcement', announcement, teacher)).status, 404);
    const { id } = await deletionOf(announcement);
    assert.equal((await server.post(`/api/admin/deletions/${id}/restore`, admin.token)).status, 200);
    assert.equal((await undo('announcement', announcement, teacher)).status, 404);
  });

  it('cannot be undone by a former administrator', async () => {
    const former = await server.user('admin');
    const { course_id } = await course('Former');
    await remove(`admin/lessons/courses/${course_id}`, former);
    await server.put(`/api/admin/users/${former.id}/role`, admin.token, { role: 'instructor' });
    assert.deepEqual(refusal(await undo('course', course_id, former)), [403, 'admin_required']);
  });

  it('is refused a name or a place that something else has now', async () => {
    const { course_id, section_id, theme_id } = await course('Bash');
    await remove(`admin/lessons/themes/${theme_id}`);
    await remove(`admin/lessons/sections/${section_id}`);
    await remove(`admin/lessons/courses/${course_id}`);
    assert.deepEqual(refusal(await undo('theme', theme_id)), [409, 'restore_parent_deleted']);
    const other = await create('admin/lessons/courses', { name: 'Bash' });
    const { id } = await deletionOf(course_id);
    const restore = () => server.post(`/api/admin/deletions/${id}/restore`, admin.token);
    assert.deepEqual(refusal(await restore()), [409, 'restore_conflict']);
    await server.put(`/api/admin/lessons/courses/${other}`, admin.token, { slug: 'another' });
    assert.equal((await restore()).status, 200);
    for (const [kind, entity] of [
      ['section', section_id],
      ['theme', theme_id],
    ] as const)
      assert.equal((await undo(kind, entity)).status, 200);
  });

  it('is listed for administrators, without notes, until it is deleted for good', async () => {
    const { theme_id } = await course('Notes');
    const note = await create('notes', { theme_id, excerpt: 'Private', text: 'Mine' }, student);
    await remove(`notes/${note}`, student);
    await remove(`admin/lessons/themes/${theme_id}`);
    const { id, deleted_by, row_count, deleted_at, expires_at } = await deletionOf(theme_id);
    assert.deepEqual([deleted_by, row_count], [admin.username, 1]);
    assert.equal(Date.parse(expires_at) - Date.parse(deleted_at), 30 * 24 * 3600 * 1000);
    assert.ok((await listed()).every(({ kind }: { kind: string }) => kind !== 'note'));
    await remove(`admin/deletions/${id}`);
    assert.equal((await undo('theme', theme_id)).status, 404);
    assert.equal((await server.delete(`/api/admin/deletions/${id}`, admin.token)).status, 404);
  });

  it('is bounded like what was not deleted: notes', async () => {
    const { theme_id } = await course('Limits');
    const user = await server.user();
    const write = (excerpt: string) => create('notes', { theme_id, excerpt, text: 'Mine' }, user);
    const first = await write('one');
    await remove(`notes/${first}`, user);
    await write('two');
    assert.equal((await undo('note', first, user)).status, 200);
    await remove(`notes/${first}`, user);
    await write('three');
    assert.deepEqual(refusal(await undo('note', first, user)), [409, 'too_many_notes']);
  });

  it('goes with the user whom it is about, and after its time', async () => {
    const user = await server.user();
    const { course_id, theme_id } = await course('Leaving');
    await server.post(`/api/lessons/themes/${theme_id}/complete`, user.token);
    await remove(`admin/lessons/courses/${course_id}`);
    const { db, deletions } = server.application;
    const rows = () =>
      sql<{ user_id: number }>`select user_id from deleted_rows where user_id = ${user.id}`.execute(db);
    assert.equal((await rows()).rows.length, 1);
    await remove(`admin/users/${user.id}`);
    assert.equal((await rows()).rows.length, 0);
    assert.equal((await undo('course', course_id)).status, 200);
    await remove(`admin/lessons/courses/${course_id}`);
    await sql`update deletions set deleted_at = now() - interval '31 days' where entity_id = ${course_id}`.execute(db);
    assert.ok((await deletions.clean()) >= 1);
    assert.equal(await deletionOf(course_id), undefined);
  });
});
