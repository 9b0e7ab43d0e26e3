import assert from 'node:assert/strict';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { RecordingFiles } from '../../src/features/recordings/recording-files.ts';
import { RecordingStore } from '../../src/features/recordings/store.ts';
import { sweepRecordings } from '../../src/features/recordings/sweep.ts';
import { blankPng } from '../blank-png.ts';
import { createTestDatabase } from '../database.ts';
import { LocalRepository } from '../git-repository.ts';
import { makeAssessment } from '../made-assessment.ts';
import { describeLong } from '../rounds.ts';
import { S3Server, s3Skip } from '../s3/s3-server.ts';
import { engineSkip, TestServer, type TestUser } from '../server.ts';
import { TerminalClient } from '../terminal-client.ts';
import { until } from '../until.ts';

/** Two starts of the service, as on two machines: each has its own data folder. They share the database, the engine and a bucket. */
describeLong('two replicas', { skip: s3Skip }, () => {
  const held = new AsyncDisposableStack();
  let s3: S3Server;
  let one: TestServer;
  let two: TestServer;
  let admin: TestUser;
  let environment: Record<string, string>;
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let repository: LocalRepository;
  const outside = () => ({ database: database.address });
  before(async () => {
    s3 = held.use(await S3Server.start());
    database = held.use(await createTestDatabase());
    repository = held.use(await LocalRepository.create());
    await repository.commit({ 'a.md': '# One' });
    const own = { CONTAINER_NAME_PREFIX: `replicas${process.pid}-`, LESSONS_REPO_URL: repository.path };
    environment = { ...s3.environment('replicas'), ...own };
    one = held.use(await TestServer.start(environment, outside(), 1));
    two = held.use(await TestServer.start(environment, outside(), 1));
    admin = await one.user('admin');
  });
  after(() => held.disposeAsync());

  async function upload(server: TestServer, user: TestUser): Promise<string> {
    const body = new FormData();
    body.set('file', new Blob([new Uint8Array(blankPng(10))]), 'me.png');
    const answer = await server.request('POST', '/api/profile/avatar', { token: user.token, body });
    assert.equal(answer.status, 200, answer.text);
    return new URL(answer.body.avatar_url, server.url).pathname;
  }

  it('serve the pictures of each other, and remove them', async () => {
    const user = await one.user();
    const path = await upload(one, user);
    const [here, there] = [await one.get(path), await two.get(path)];
    assert.deepEqual([here.status, there.status], [200, 200]);
    assert.ok(here.bytes.equals(there.bytes) && here.bytes.length > 50);
    assert.equal(there.headers.get('content-type'), 'image/webp');
    const next = await upload(two, user);
    assert.deepEqual([(await one.get(path)).status, (await one.get(next)).status], [404, 200]);
    assert.equal((await one.delete(`/api/admin/users/${user.id}`, admin.token)).status, 200);
    assert.equal((await two.get(next)).status, 404);
    assert.deepEqual(await kept(), [], 'nothing is in a data folder');
  });

  /** What the replicas have in their data folders besides the mirror of the lessons. */
  async function kept(): Promise<string[]> {
    const names = await Promise.all([one, two].map(({ dataDir }) => readdir(dataDir)));
    return names.flat().filter((name) => name !== 'lessons');
  }

  const newExam = () => makeAssessment(one, admin, 'exam', ['test -e /tmp/solved && echo PASS']);
  const open = (server: TestServer, containerId: number, token: string) =>
    new TerminalClient(`${server.url}/ws/terminal/${containerId}?token=${token}`, { protocol: 'terminal.v1' });

  it('play the recordings of each other, also those in progress', { skip: engineSkip }, async () => {
    const exam = await newExam();
    const student = await one.user();
    const started = await two.post(`/api/exams/${exam}/start`, student.token);
    assert.equal(started.status, 201, started.text);
    const { attempt_id, container_id } = started.body;
    const client = await open(one, container_id, student.token).ready();
    client.type('echo rec""orded at the first\n');
    await client.shows('recorded at the first\r\n');
    const list = async (server: TestServer) =>
      (await server.get(`/api/instructor/attempts/${attempt_id}/recordings`, admin.token)).body;
    const text = async (server: TestServer, id: number) =>
      (await server.get(`/api/instructor/recordings/${id}`, admin.token)).text;
    const [{ id }] = await list(two);
    await until(async () => (await text(two, id)).includes('recorded at the first'), 'the recording in the other one');
    client.type('exit\n');
    await client.closed;
    await until(async () => (await list(two))[0].ended_at !== null, 'the end of the recording');
    const [{ bytes }] = await list(two);
    const whole = await text(two, id);
    assert.equal(Buffer.byteLength(whole), bytes);
    assert.equal(whole, await text(one, id));
    assert.equal((await two.post(`/api/exams/${exam}/submit`, student.token)).status, 200);
    assert.deepEqual(await kept(), []);
    const files = new RecordingFiles(s3.store({ prefix: 'replicas' }));
    const swept = await sweepRecordings({ store: new RecordingStore(two.application.db), files, days: 30 });
    assert.deepEqual(swept, { ended: 0, expired: 0, files: 0, rows: 0 });
  });

  it('have a mirror of the lessons each, made again when it is lost', async () => {
    const course = await one.post('/api/admin/lessons/courses', admin.token, { name: 'C', description: '', icon: 'x' });
    const section = { name: 'S', course_id: course.body.id, order_index: 1 };
    const { id: section_id } = (await one.post('/api/admin/lessons/sections', admin.token, section)).body;
    const theme = { title: 'T', section_id, order_index: 1, markdown_file_path: 'a.md', duration_minutes: 1 };
    const { id } = (await one.post('/api/admin/lessons/themes', admin.token, theme)).body;
    const text = async (server: TestServer) =>
      (await server.get(`/api/lessons/themes/${id}/content`, admin.token)).body;
    assert.deepEqual([await text(one), await text(two)], ['# One', '# One']);
    await repository.commit({ 'a.md': '# Two' });
    assert.equal((await one.post('/api/lessons/refresh-repository', admin.token)).status, 200);
    assert.deepEqual([await text(one), await text(two)], ['# Two', '# Two'], 'the refresh is for both');
    await rm(join(two.dataDir, 'lessons'), { recursive: true });
    await using third = await TestServer.start({ ...environment, DATA_DIR: two.dataDir }, outside(), 1);
    assert.equal(await text(third), '# Two');
  });

  it('refuse pictures while the bucket cannot be reached, and serve everything else', async () => {
    const user = await one.user();
    const path = await upload(one, user);
    await s3.shut();
    try {
      const failed = await two.get(path);
      assert.deepEqual([failed.status, failed.code], [503, 'storage_unavailable']);
      assert.ok(failed.headers.get('retry-after'));
      assert.equal((await two.get('/readyz')).status, 200);
      assert.equal((await two.get('/api/profile/me', user.token)).status, 200);
    } finally {
      await s3.listen();
    }
    assert.equal((await two.get(path)).status, 200);
  });

  // Long: one replica from the signal to its end, with what it held.
  it('hand over what one of them holds when it receives a signal to stop', { skip: engineSkip }, async () => {
    const env = { ...environment, STOP_DELAY_SECONDS: '3' };
    await using third = await TestServer.start(env, outside(), 1);
    third.keepContainers();
    const exam = await newExam();
    const student = await one.user();
    const started = await third.post(`/api/exams/${exam}/start`, student.token);
    assert.equal(started.status, 201, started.text);
    const { container_id, attempt_id } = started.body;
    const client = await open(third, container_id, student.token).ready();
    client.type('touch /tmp/solved; echo do""ne\n');
    await client.shows('done\r\n');

    const end = third.application[Symbol.asyncDispose]();
    const ready = await third.get('/readyz');
    assert.deepEqual([ready.status, ready.code], [503, 'stopping']);
    assert.ok(ready.headers.get('retry-after'));
    assert.equal((await third.get('/healthz')).status, 200, 'it is alive');
    assert.equal((await third.get('/api/auth/me', student.token)).status, 200, 'it still serves');
    client.type('echo still o""pen\n');
    await client.shows('still open\r\n');
    assert.equal((await open(third, container_id, student.token).closed).code, 1001, 'it opens no more terminals');
    assert.equal((await client.closed).code, 1001);
    await end;
    await assert.rejects(third.get('/healthz'));

    const again = await open(one, container_id, student.token).ready();
    again.type('ls /tmp/solved; exit\n');
    await again.shows('/tmp/solved\r\n');
    await again.closed;
    const recordings = await two.get(`/api/instructor/attempts/${attempt_id}/recordings`, admin.token);
    const ended = (recordings.body as { ended_at: string | null; is_truncated: boolean }[])[0];
    assert.deepEqual(
      [typeof ended?.ended_at, ended?.is_truncated],
      ['string', false],
      'it has stored what it recorded',
    );
    const graded = await two.post(`/api/exams/${exam}/submit`, student.token);
    assert.deepEqual([graded.status, graded.body.score], [200, 1]);
  });
});
