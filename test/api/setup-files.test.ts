import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, it } from 'node:test';
import { sql } from 'kysely';
import { deleteUnusedStates } from '../../src/database/catalogue/revisions.ts';
import { Classroom } from '../classroom.ts';
import { describeLong } from '../rounds.ts';
import { codedItems, engineSkip, TestServer, type TestUser } from '../server.ts';
import { until } from '../until.ts';

const binary = { 'content-type': 'application/octet-stream' };

/** Uploads a file of an exam or a laboratory. */
const upload = async (
  server: TestServer,
  { token }: TestUser,
  assessment: string,
  query: Record<string, string | number>,
  content: string | Buffer,
) => {
  const words = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, `${value}`]));
  const body = new Uint8Array(Buffer.from(content));
  return await server.request('PUT', `/api/admin/${assessment}/files?${words}`, { token, headers: binary, body });
};

describeLong('files of exams and laboratories', { timeout: 600_000 }, () => {
  let server: TestServer;
  let admin: TestUser;
  let ids: { exam: number; task: number; laboratory: number };
  before(async () => {
    server = await TestServer.start({ maxSetupFileBytes: 100_000, maxSetupFiles: 3 });
    admin = await server.user('admin');
    const fields = { title: 'Mend', container_image: 'platform-exam-linux-basics', passing_score: 0 };
    const exam = await server.post('/api/admin/exams', admin.token, { ...fields, time_limit_minutes: 5 });
    const laboratory = await server.post('/api/admin/laboratories', admin.token, fields);
    const check = { title: 'Task', points: 1, verification_script: 'echo FAIL' };
    const task = await server.post(`/api/admin/exams/${exam.body.id}/tasks`, admin.token, check);
    ids = { exam: exam.body.id, task: task.body.id, laboratory: laboratory.body.id };
  });
  after(() => server[Symbol.asyncDispose]());

  const put = (
    query: Record<string, string | number>,
    content: string | Buffer = 'text',
    assessment = `exams/${ids.exam}`,
  ) => upload(server, admin, assessment, query, content);
  const files = async (assessment = `exams/${ids.exam}`) =>
    (await server.get(`/api/admin/${assessment}/files`, admin.token)).body as { id: number; path: string }[];
  const empty = async () => {
    for (const { id } of await files()) await server.delete(`/api/admin/exams/${ids.exam}/files/${id}`, admin.token);
  };

  it('are uploaded, listed without their contents, replaced, changed, read and deleted', async () => {
    const content = Buffer.from([0, 1, 255, 10, 13]);
    const added = await put({ path: '/home/student/a b.bin' }, content);
    assert.equal(added.status, 201, added.text);
    const digest = createHash('sha256').update(content).digest('hex');
    const first = { id: added.body.id, task_id: null, path: '/home/student/a b.bin' };
    assert.deepEqual(added.body, { ...first, owner: 'student', mode: '0644', bytes: 5, digest });
    const ofTask = await put({ path: '/etc/broken.conf', task_id: ids.task, owner: 'root:student', mode: '640' }, '');
    assert.equal(ofTask.body.mode, '0640');
    assert.deepEqual(await files(), [added.body, ofTask.body]);

    const place = `/api/admin/exams/${ids.exam}/files/${added.body.id}`;
    const read = await server.request('GET', place, { token: admin.token });
    assert.equal(read.headers.get('content-disposition'), "attachment; filename*=UTF-8''a%20b.bin");
    assert.equal(read.text, content.toString());
    // With a length, a client would send its next request before the server has ended this answer.
    assert.equal(read.headers.get('content-length'), null);
    const again = await put({ path: '/home/student/a b.bin', mode: '0755' }, 'x'.repeat(99_000));
    assert.deepEqual([again.status, again.body.id, again.body.mode], [200, added.body.id, '0755']);
    assert.equal((await server.request('GET', place, { token: admin.token })).text.length, 99_000);
    const changed = await server.put(place, admin.token, { owner: 'root', path: '/opt/a.bin' });
    assert.deepEqual(
      [changed.status, changed.body.owner, changed.body.path],
      [200, 'root', '/opt/a.bin'],
      changed.text,
    );
    assert.equal(changed.body.digest, again.body.digest);

    assert.equal((await server.delete(place, admin.token)).status, 200);
    assert.equal((await server.get(place, admin.token)).status, 404);
    // The other one goes with its task.
    assert.equal((await server.delete(`/api/admin/exams/${ids.exam}/tasks/${ids.task}`, admin.token)).status, 200);
    assert.deepEqual(await files(), []);
    const acts = await server.get('/api/admin/activity?page_size=100', admin.token);
    const types = (acts.body as { type: string }[]).map(({ type }) => type).filter((type) => /_file_/.test(type));
    const [one, other] = ['admin_exam_file_upload', 'admin_exam_file_update'];
    assert.deepEqual(types, ['admin_exam_file_delete', other, one, one, one]);
  });

  it('are deleted with their exam, with all that is stored of them', async () => {
    const fields = { title: 'Gone', container_image: 'image', passing_score: 0, time_limit_minutes: 5 };
    const { body } = await server.post('/api/admin/exams', admin.token, fields);
    const added = await put({ path: '/srv/x' }, 'of the exam that is gone', `exams/${body.id}`);
    assert.equal(added.status, 201);
    await server.delete(`/api/admin/exams/${body.id}`, admin.token);
    const { db } = server.application;
    const rows = async () =>
      (await sql`select from setup_contents where digest = ${added.body.digest}`.execute(db)).rows;
    // It may be in use at this moment.
    await deleteUnusedStates(db);
    assert.equal((await rows()).length, 1);
    await sql`update setup_contents set created_at = now() - interval '61 minutes'`.execute(db);
    // As long as the deletion can be undone, they stay.
    await deleteUnusedStates(db);
    assert.equal((await rows()).length, 1);
    await sql`delete from deletions where kind = 'exam' and entity_id = ${body.id}`.execute(db);
    await deleteUnusedStates(db);
    assert.equal((await rows()).length, 0);
    assert.equal(
      (await sql`select from setup_content_parts where digest = ${added.body.digest}`.execute(db)).rows.length,
      0,
    );
  });

  for (const [what, query, status, code] of [
    ['a relative path', { path: 'etc/motd' }, 422, 'validation'],
    ['a path with ..', { path: '/srv/../etc/motd' }, 422, 'validation'],
    ['a path with NUL', { path: '/srv/\0' }, 422, 'validation'],
    ['a path of the grader', { path: '/.grader/run' }, 422, 'validation'],
    ['a path of the kernel', { path: '/proc/sysrq-trigger' }, 422, 'validation'],
    ['a path of a device', { path: '/dev/shm/x' }, 422, 'validation'],
    ['an owner with spaces', { path: '/srv/x', owner: 'a b' }, 422, 'validation'],
    ['a mode that is not octal', { path: '/srv/x', mode: '0888' }, 422, 'validation'],
    ['a task of another exam', { path: '/srv/x', task_id: 999_999 }, 404, 'not_found'],
  ] as const) {
    it(`refuse ${what}`, async () => {
      const refused = await put(query);
      assert.deepEqual([refused.status, refused.code], [status, code], refused.text);
    });
  }

  it('refuse what is too large, too many, or in the way of another file', async () => {
    const refusals = async (query: Record<string, string>, content: string | Buffer = 'text') => {
      const { status, code } = await put(query, content);
      return [status, code];
    };
    assert.deepEqual(await refusals({ path: '/srv/large' }, Buffer.alloc(100_001)), [413, 'body_too_large']);
    assert.equal((await put({ path: '/srv/half' }, Buffer.alloc(60_000))).status, 201);
    assert.deepEqual(await refusals({ path: '/srv/other' }, Buffer.alloc(60_000)), [409, 'files_full']);
    assert.deepEqual(await refusals({ path: '/srv/half/below' }), [409, 'path_conflict']);
    const next = await put({ path: '/srv/next' });
    const place = `/api/admin/exams/${ids.exam}/files/${next.body.id}`;
    assert.equal((await server.put(place, admin.token, { path: '/srv/half' })).code, 'path_conflict');
    const refused = await server.put(place, admin.token, { path: '/sys/x' });
    const [{ code, params }] = codedItems(refused);
    assert.deepEqual([refused.status, code, params], [422, 'machine_path_reserved', { folder: 'sys' }]);
    assert.equal((await put({ path: '/srv/third' })).status, 201);
    assert.deepEqual(await refusals({ path: '/srv/fourth' }), [409, 'files_full']);
    assert.equal((await files()).length, 3, 'what was refused is not kept');
    const json = await server.request('PUT', `/api/admin/exams/${ids.exam}/files?path=/srv/x`, {
      token: admin.token,
      json: { a: 1 },
    });
    assert.deepEqual([json.status, json.code], [415, 'unsupported_media_type']);
    await empty();
  });
});

describeLong('files in containers', { skip: engineSkip, timeout: 600_000 }, () => {
  let room: Classroom;
  before(async () => {
    room = await Classroom.open({ WARM_CONTAINERS: '1' });
  });
  after(() => room[Symbol.asyncDispose]());

  const put = async (assessment: string, query: Record<string, string | number>, content: string | Buffer) => {
    const { status, text, body } = await upload(room.server, room.admin, assessment, query, content);
    assert.ok(status < 300, text);
    return body;
  };

  it('are there before the set-up scripts run, in trials and attempts, and are not shown to students', async () => {
    const large = Buffer.alloc(9_000_000, 'hidden-from-students ');
    const check = `stat -c '%n %U %a %s' /home/student/notes.txt /usr/local/bin/tool /srv/large; cat /root/seen; echo
      if [ "$(student_file /home/student/answer)" = right ]; then echo PASS; else echo FAIL; fi`;
    const id = await room.make('laboratory', [check], { setup_script: 'tool; cat /srv/task >>/root/seen' });
    const assessment = `laboratories/${id}`;
    const { tasks } = (await room.server.get(`/api/admin/${assessment}`, room.admin.token)).body;
    const solution = { solution_script: 'echo right >~/answer' };
    await room.server.put(`/api/admin/${assessment}/tasks/${tasks[0].id}`, room.admin.token, solution);
    await put(assessment, { path: '/home/student/notes.txt' }, 'read me');
    await put(
      assessment,
      { path: '/usr/local/bin/tool', mode: '0755' },
      '#!/bin/sh\nprintf "tool by $(id -un), " >/root/seen\n',
    );
    await put(assessment, { path: '/srv/large', mode: '0400' }, large);
    await put(assessment, { path: '/srv/task', task_id: tasks[0].id }, 'task');
    const tried = await room.server.post(`/api/admin/${assessment}/try`, room.admin.token);
    assert.equal(tried.body.is_ok, true, tried.text);

    const student = await room.server.user();
    await room.start(student, 'laboratory', id);
    const submitted = await room.server.post(`/api/${assessment}/submit`, student.token);
    assert.equal(
      submitted.body.results[0].output,
      '/home/student/notes.txt student 644 7\n/usr/local/bin/tool root 755 51\n/srv/large root 400 9000000\ntool by root, task\nFAIL\n',
    );
    for (const path of [assessment, 'laboratories/attempts', 'containers/sandbox']) {
      const { text } = await room.server.get(`/api/${path}`, student.token);
      assert.doesNotMatch(text, /hidden-from|large|notes\.txt|files/);
    }
    assert.equal((await room.server.get(`/api/admin/${assessment}/files`, student.token)).status, 403);
  });

  it('are the same for every container of a warm pool, and one from before a change is not handed out', async () => {
    const id = await room.make('exam', ['cat /etc/version; echo PASS']);
    const db = room.server.application.db;
    const warm = () =>
      db.selectFrom('containers').select(['engine_ref', 'setup_key']).where('status', '=', 'warm').execute();
    const filled = () =>
      until(async () => {
        await room.server.application.reconciler.run();
        const { rows } = await sql<{ key: string }>`select setup_key_of('exam', ${id}) as key`.execute(db);
        const there = await warm();
        return there.length === 1 && there[0]?.setup_key === rows[0]?.key;
      }, 'the warm pool');
    const attempt = async () => {
      const user = await room.server.user();
      const { container_id } = await room.start(user, 'exam', id);
      const row = await db
        .selectFrom('containers')
        .select('engine_ref')
        .where('id', '=', container_id)
        .executeTakeFirstOrThrow();
      const { body } = await room.server.post(`/api/exams/${id}/submit`, user.token);
      return { ref: row.engine_ref, output: body.results[0].output };
    };
    await put(`exams/${id}`, { path: '/etc/version' }, 'one\n');
    await filled();
    const [waiting] = await warm();
    assert.deepEqual(await attempt(), { ref: waiting?.engine_ref, output: 'one\nPASS\n' });
    await filled();
    const [old] = await warm();
    await put(`exams/${id}`, { path: '/etc/version' }, 'two\n');
    const { ref, output } = await attempt();
    assert.equal(output, 'two\nPASS\n');
    assert.notEqual(ref, old?.engine_ref);
  });

  it('that cannot be put in place use up no attempt, and a trial says why', async () => {
    const id = await room.make('exam', ['echo FAIL']);
    await put(`exams/${id}`, { path: '/etc/ssl' }, 'a folder of the image');
    const student = await room.server.user();
    const refused = await room.server.post(`/api/exams/${id}/start`, student.token);
    assert.deepEqual([refused.status, refused.code], [503, 'setup_failed'], refused.text);
    assert.doesNotMatch(refused.text, /ssl/);
    assert.deepEqual((await room.server.get('/api/exams/attempts', student.token)).body, []);
    const tried = await room.server.post(`/api/admin/exams/${id}/try`, room.admin.token);
    assert.equal(tried.body.setup.problem_code, 'file_failed');
    assert.match(tried.body.setup.output, /it is a folder\n\/etc\/ssl could not be put in place/);
  });
});
