import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { copyFile, readdir, rename, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { ObjectFolder } from '../../src/adapters/disk/object-folder.ts';
import { RecordingFiles } from '../../src/features/recordings/recording-files.ts';
import { RecordingStore } from '../../src/features/recordings/store.ts';
import { sweepRecordings } from '../../src/features/recordings/sweep.ts';
import { finishAttempt } from '../finished-attempt.ts';
import { image, makeAssessment } from '../made-assessment.ts';
import { describeLong } from '../rounds.ts';
import { engineSkip, TestServer, type TestUser } from '../server.ts';
import { TerminalClient } from '../terminal-client.ts';
import { until } from '../until.ts';

const v1 = { protocol: 'terminal.v1' } as const;
const day = 24 * 3_600_000;
type Event = [seconds: number, code: string, data: string];

describeLong('recordings', { skip: engineSkip }, () => {
  let server: TestServer;
  let instructor: TestUser;
  let admin: TestUser;
  let exam: number;
  before(async () => {
    server = await TestServer.start();
    admin = await server.user('admin');
    instructor = await server.user('instructor');
    exam = await makeAssessment(server, admin, 'exam', ['echo PASS']);
    const template = { name: 'Shell', image, memory_mb: 128, cpus: 1 };
    assert.equal((await server.post('/api/admin/sandbox-templates', admin.token, template)).status, 201);
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
  });

  const folder = () => join(server.dataDir, 'recordings');
  const pathOf = (key: string) => join(folder(), `${key}.cast`);

  async function start() {
    const user = await server.user();
    const started = await server.post(`/api/exams/${exam}/start`, user.token);
    assert.equal(started.status, 201, started.text);
    const { attempt_id: id, container_id } = started.body as { attempt_id: number; container_id: number };
    const open = (query = '') =>
      new TerminalClient(`${server.url}/ws/terminal/${container_id}?token=${user.token}${query}`, v1);
    const abandon = async () =>
      assert.equal((await server.post(`/api/exams/attempts/${id}/abandon`, user.token)).status, 200);
    return { user, id, open, abandon };
  }

  async function list(attemptId: number) {
    const read = () => server.get(`/api/instructor/attempts/${attemptId}/recordings`, instructor.token);
    let answer = await read();
    // A recording may begin between the reading of the rows and their count.
    await until(async () => {
      if (answer.headers.get('x-total-count') === String(answer.body.length)) return true;
      answer = await read();
      return false;
    }, 'a list with its number');
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  }

  async function download(id: number) {
    const answer = await server.get(`/api/instructor/recordings/${id}`, instructor.token);
    assert.equal(answer.status, 200, answer.text);
    assert.ok(answer.text.endsWith('\n'));
    assert.equal(answer.headers.get('content-length'), String(Buffer.byteLength(answer.text)));
    const [header, ...events] = answer.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    for (const [index, [seconds, code, data]] of (events as Event[]).entries()) {
      assert.ok(seconds >= (events[index - 1]?.[0] ?? 0) && /^[or]$/.test(code) && typeof data === 'string');
    }
    const output = (events as Event[]).map(([, code, data]) => (code === 'o' ? data : '')).join('');
    return { answer, header, events: events as Event[], output };
  }

  const ended = async (attemptId: number, count: number) => {
    await until(async () => {
      const all = await list(attemptId);
      return all.length === count && all.every((one: { ended_at: string | null }) => one.ended_at !== null);
    }, 'the end of the recordings');
    return await list(attemptId);
  };

  const key = async (id: number) =>
    (await server.application.db.selectFrom('recordings').select('key').where('id', '=', id).executeTakeFirstOrThrow())
      .key;

  /** An attempt that is over, with one recording. */
  async function recorded() {
    const attempt = await start();
    const client = await attempt.open().ready();
    client.type('exit\n');
    await client.closed;
    const [recording] = await ended(attempt.id, 1);
    await attempt.abandon();
    return { ...attempt, recording, key: await key(recording.id) };
  }

  /** The attempts and recordings that the service would have left, with the file of a real one. */
  async function copies(of: Awaited<ReturnType<typeof recorded>>, count: number) {
    const { db } = server.application;
    const { id: _id, ...row } = await db
      .selectFrom('recordings')
      .selectAll()
      .where('id', '=', of.recording.id)
      .executeTakeFirstOrThrow();
    const made = [];
    for (let index = 0; index < count; index += 1) {
      const attempt_id = await finishAttempt(server, of.user, 'exam', exam, [true]);
      const copy = { ...row, attempt_id, key: randomBytes(20).toString('hex') };
      await copyFile(pathOf(of.key), pathOf(copy.key));
      const { id } = await db.insertInto('recordings').values(copy).returning('id').executeTakeFirstOrThrow();
      made.push({ id: attempt_id, recording: { id }, key: copy.key });
    }
    return made;
  }

  const sweep = () =>
    sweepRecordings({
      store: new RecordingStore(server.application.db),
      files: new RecordingFiles(new ObjectFolder(server.dataDir)),
      days: 30,
    });

  // Long: one attempt with two shells, from its start to its recordings.
  it('contain each shell of an attempt in one file, even while it runs, across reconnects and resizes', async () => {
    const { user, id, open, abandon } = await start();
    const first = await open('&cols=91&rows=21').ready();
    const { session_id } = await first.message('ready');
    first.type('stty -echo; echo grü""n; read x; stty echo; echo d""one\n');
    await first.shows('grün\r\n');
    first.type('a secret\n');
    await first.shows('done\r\n');
    await until(async () => (await list(id))[0]?.bytes > 200, 'a recording that is being written');
    const [before] = await list(id);
    assert.deepEqual(
      [before.attempt_id, before.cols, before.rows, before.ended_at, before.duration_seconds, before.is_truncated],
      [id, 91, 21, null, null, false],
    );
    await until(async () => (await download(before.id)).output.includes('done\r\n'), 'the output until now');

    first.socket.terminate();
    const again = open(`&session=${session_id}&cols=100&rows=30`);
    assert.equal((await again.message('ready')).is_resumed, true);
    again.type('echo a""gain\n');
    await again.shows('again\r\n');
    const second = await open().ready();
    second.type('echo sec""ond; exit\n');
    await second.closed;
    await abandon();
    await again.closed;

    const [one, two, ...none] = await ended(id, 2);
    assert.deepEqual(none, []);
    assert.deepEqual([two.cols, two.rows], [80, 24]);
    const { answer, header, events, output } = await download(one.id);
    assert.equal(answer.headers.get('content-type'), 'application/x-asciicast');
    assert.equal(answer.headers.get('content-disposition'), `attachment; filename="attempt-${id}-1.cast"`);
    assert.equal(answer.text.length < one.bytes, true, 'characters of two bytes');
    assert.equal(Buffer.byteLength(answer.text), one.bytes);
    assert.deepEqual(header, {
      version: 2,
      width: 91,
      height: 21,
      timestamp: Math.floor(Date.parse(one.started_at) / 1000),
      title: `Trial, attempt ${id}`,
      env: { TERM: 'xterm-256color' },
    });
    assert.match(output, /\rgrün\r\n[\s\S]*done\r\n[\s\S]*again\r\n/);
    assert.ok(!answer.text.includes('secret'));
    assert.deepEqual(
      events.filter(([, code]) => code === 'r').map(([, , data]) => data),
      ['100x30'],
    );
    assert.ok(one.duration_seconds >= (events.at(-1)?.[0] ?? 0) - 0.001);
    const other = await download(two.id);
    assert.match(other.output, /\rsecond\r\n/);
    assert.ok(!other.output.includes('grün'));
    assert.equal(other.answer.headers.get('content-disposition'), `attachment; filename="attempt-${id}-2.cast"`);

    const mode = async (path: string) => (await stat(path)).mode & 0o777;
    assert.deepEqual([await mode(folder()), await mode(pathOf(await key(one.id)))], [0o700, 0o600]);
    for (const path of [`/api/instructor/attempts/${id}/recordings`, `/api/instructor/recordings/${one.id}`]) {
      assert.equal((await server.get(path)).status, 401);
      assert.equal((await server.get(path, user.token)).status, 403, 'also their own');
      assert.equal((await server.get(path, admin.token)).status, 200);
    }
    const page = await server.get(`/api/instructor/attempts/${id}/recordings?page=2&page_size=1`, instructor.token);
    assert.deepEqual([page.body[0].id, page.headers.get('x-total-count')], [two.id, '2']);
  });

  it('exist only for exams', async () => {
    const { user, id, abandon } = await start();
    const sandbox = await server.post('/api/containers/create', user.token, {});
    assert.equal(sandbox.status, 201, sandbox.text);
    const url = `${server.url}/ws/terminal/${sandbox.body.id}?token=${user.token}`;
    const count = async () => (await readdir(folder()).catch(() => [])).length;
    const before = await count();
    const client = await new TerminalClient(url, v1).ready();
    client.type('exit\n');
    await client.closed;
    assert.deepEqual([await list(id), await count()], [[], before]);
    await abandon();
    const { id: laboratory } = await server.application.db
      .insertInto('attempts')
      .values({
        kind: 'laboratory',
        user_id: user.id,
        title: 'L',
        container_name: 'l',
        status: 'abandoned',
        max_score: 1,
        passing_score: 1,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    for (const [path, status] of [
      [`attempts/${laboratory}/recordings`, 404],
      ['attempts/1000000/recordings', 404],
      ['attempts/99999999999/recordings', 404],
      ['attempts/first/recordings', 422],
      ['recordings/1000000', 404],
      ['recordings/99999999999', 404],
      ['recordings/first', 422],
    ] as const) {
      assert.equal((await server.get(`/api/instructor/${path}`, instructor.token)).status, status, path);
    }
  });

  it('end at their limit, and the terminal continues', async () => {
    await using small = await TestServer.start({ maxRecordingMb: 1 });
    const fields = { title: 'Trial', container_image: image, time_limit_minutes: 10, passing_score: 1 };
    const root = await small.user('admin');
    const { id } = (await small.post('/api/admin/exams', root.token, fields)).body;
    const task = { title: 'Task', points: 1, verification_script: 'echo PASS' };
    assert.equal((await small.post(`/api/admin/exams/${id}/tasks`, root.token, task)).status, 201);
    const { attempt_id, container_id } = (await small.post(`/api/exams/${id}/start`, root.token)).body;
    const address = `${small.url}/ws/terminal/${container_id}?token=${root.token}`;
    const client = await new TerminalClient(address, v1).ready();
    client.type('seq 1 300000; echo at the e""nd\n');
    await client.shows('at the end\r\n');
    const path = `/api/instructor/attempts/${attempt_id}/recordings`;
    await until(async () => (await small.get(path, root.token)).body[0]?.ended_at !== null, 'the end of the recording');
    const [recording] = (await small.get(path, root.token)).body;
    assert.equal(recording.is_truncated, true);
    assert.ok(recording.bytes <= 1024 * 1024);
    const { text } = await small.get(`/api/instructor/recordings/${recording.id}`, root.token);
    assert.match(text.trimEnd().split('\n').at(-1) ?? '', /it has reached its limit of 1 MiB/);
    client.type('echo still a""live; exit\n');
    await client.closed;
    assert.match(client.output.toString(), /\rstill alive\r\n/);
  });

  it('do not affect the terminal when they cannot be written', async () => {
    await rm(folder(), { recursive: true, force: true });
    await writeFile(folder(), 'in the way');
    const { id, open, abandon } = await start();
    try {
      const client = await open().ready();
      const [recording] = await ended(id, 1);
      client.type('echo still a""live; exit\n');
      await client.closed;
      assert.match(client.output.toString(), /\rstill alive\r\n/);
      assert.deepEqual([recording.bytes, recording.is_truncated], [0, true]);
      const { status } = await server.get(`/api/instructor/recordings/${recording.id}`, instructor.token);
      assert.equal(status, 503);
    } finally {
      await rm(folder());
      await abandon();
    }
  });

  it('are listed even if the file of an unfinished one cannot be read', async () => {
    const { id, open, abandon } = await start();
    const client = await open().ready();
    await until(async () => (await list(id))[0]?.bytes > 0, 'a recording that is being written');
    await rename(folder(), `${folder()}-away`);
    await writeFile(folder(), 'in the way');
    try {
      const [recording, ...others] = await list(id);
      assert.deepEqual([recording.ended_at, recording.bytes, others], [null, 0, []]);
    } finally {
      await rm(folder());
      await rename(`${folder()}-away`, folder());
    }
    assert.ok((await list(id))[0].bytes > 0);
    await abandon();
    await client.closed;
  });

  it('are served without a truncated line, and are 404 if missing', async () => {
    const { recording, key: name } = await recorded();
    const whole = await download(recording.id);
    await truncate(pathOf(name), recording.bytes - 3);
    const cut = await server.get(`/api/instructor/recordings/${recording.id}`, instructor.token);
    assert.ok(cut.text.endsWith('\n') && cut.text.length < whole.answer.text.length - 3);
    assert.ok(whole.answer.text.startsWith(cut.text));
    await truncate(pathOf(name), 5);
    const path = `/api/instructor/recordings/${recording.id}`;
    assert.equal((await server.get(path, instructor.token)).status, 404);
    await rm(pathOf(name));
    assert.equal((await server.get(path, instructor.token)).status, 404);
  });

  it('are deleted when they are old, together with leftover files', async () => {
    const { db } = server.application;
    const old = await recorded();
    const [fresh, crashed, lost] = await copies(old, 3);
    assert.ok(fresh && crashed && lost);
    const change = (id: number, fields: { ended_at?: Date | null; started_at?: Date }) =>
      db.updateTable('recordings').set(fields).where('id', '=', id).execute();
    await change(old.recording.id, { ended_at: new Date(Date.now() - 30 * day - 1000) });
    await change(fresh.recording.id, { ended_at: new Date(Date.now() - 30 * day + 60_000) });
    const death = new Date(Date.now() - day);
    await change(crashed.recording.id, { ended_at: null, started_at: new Date(death.getTime() - 5000) });
    await utimes(pathOf(crashed.key), death, death);
    await change(lost.recording.id, { started_at: death });
    await rm(pathOf(lost.key));
    const [orphan, young] = ['a'.repeat(40), 'b'.repeat(40)];
    for (const name of [orphan, young]) await writeFile(pathOf(name), '{}\n');
    await utimes(pathOf(orphan), death, death);

    const swept = await sweep();
    assert.deepEqual([swept.ended, swept.expired, swept.files], [1, 1, 1]);
    assert.ok(swept.rows >= 1);
    const files = await readdir(folder());
    const has = (name: string) => files.includes(`${name}.cast`);
    assert.deepEqual([old.key, orphan, young, fresh.key, crashed.key].map(has), [false, false, true, true, true]);
    assert.deepEqual([await list(old.id), await list(lost.id)], [[], []]);
    const [found] = await list(crashed.id);
    assert.equal(found.duration_seconds, 5);
    assert.equal(found.bytes, (await stat(pathOf(crashed.key))).size);
    assert.equal((await server.get(`/api/instructor/recordings/${old.recording.id}`, instructor.token)).status, 404);
  });

  it('are deleted with their user, including an unfinished one', async () => {
    const { user, id, open } = await start();
    const past = await open().ready();
    past.type('exit\n');
    await past.closed;
    await ended(id, 1);
    const running = await open().ready();
    await until(async () => (await list(id))[1]?.bytes > 0, 'a recording that is being written');
    const keys = await Promise.all((await list(id)).map((one: { id: number }) => key(one.id)));
    assert.equal((await server.delete(`/api/admin/users/${user.id}`, admin.token)).status, 200);
    const left = await readdir(folder());
    for (const name of keys) assert.ok(!left.includes(`${name}.cast`));
    await running.closed;
    assert.equal((await server.get(`/api/instructor/attempts/${id}/recordings`, instructor.token)).status, 404);
  });
});
