import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { verifyEvidence } from '../../src/commands/verify-evidence.ts';
import { listPaths, readLayer } from '../../src/features/evidence/layer.ts';
import { Classroom } from '../classroom.ts';
import { isOnCluster } from '../cluster.ts';
import { downloadEvidence, evidenceOf, filesOf, settledEvidence } from '../evidence-archive.ts';
import { itLong } from '../rounds.ts';
import { runInContainer } from '../run-in-container.ts';
import { engineSkip, type TestUser } from '../server.ts';
import { until } from '../until.ts';
import { within } from '../within.ts';

const run = promisify(execFile);

describe('the evidence of attempts', { skip: engineSkip, timeout: 600_000 }, () => {
  let room: Classroom;
  let folder: string;
  before(async () => {
    room = await Classroom.open();
    folder = await mkdtemp(join(tmpdir(), 'evidence-'));
  });
  after(async () => {
    await room?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  const pathOf = (attempt: number) => `/api/instructor/attempts/${attempt}/evidence`;
  const summaryOf = (place: Classroom, attempt: number) => evidenceOf(place.server, place.admin, attempt);
  const isSettled = (place: Classroom, attempt: number) => settledEvidence(place.server, place.admin, attempt);

  /** An attempt of a laboratory in which a script of root has run, submitted. */
  async function ended(place: Classroom, script: string, more: object = {}) {
    const student = await place.server.user();
    const check = '[ -e /srv/done ] && echo PASS || echo "not yet"';
    const id = await place.make('exam', [check, 'echo FAIL'], more);
    const { attempt_id, container_name } = await place.start(student, 'exam', id);
    await place.asRoot(container_name, script);
    const begin = performance.now();
    const { status, text } = await place.server.post(`/api/exams/${id}/submit`, student.token);
    assert.equal(status, 200, text);
    return { student, id, attempt: attempt_id, container_name, milliseconds: performance.now() - begin };
  }

  const download = (place: Classroom, attempt: number, user: TestUser = place.admin) =>
    downloadEvidence(place.server, user, attempt, join(folder, `${attempt}.tar`));

  // Long: one machine with everything that a layer can have, and the whole way to the check of its archive.
  it('are the files of the machine and all that is known, signed', async () => {
    const work = `echo done >/srv/done; mkdir -p "/srv/a b"; echo one >"/srv/a b/c"; ln /srv/done /srv/twin; ln -s done /srv/link
      chown student "/srv/a b/c"; chmod 4750 /srv/done; rm /etc/issue; rm -r /usr/share/doc/bash; mkfifo /srv/pipe
      echo gone >/run/volatile; echo gone >/dev/shm/volatile; touch $'/srv/two\\nlines'`;
    const { attempt, id } = await ended(room, work, { setup_script: 'echo prepared >/etc/prepared' });
    const summary = await isSettled(room, attempt);
    assert.deepEqual([summary.status, summary.notes, summary.is_restorable], ['kept', [], true]);
    const { file, files } = await download(room, attempt, room.instructor);
    const { problems, manifest } = await verifyEvidence(file, summary.public_key);
    assert.deepEqual(problems, []);
    assert.deepEqual(manifest?.missing, []);
    assert.deepEqual((await verifyEvidence(file, Buffer.alloc(32).toString('base64'))).problems, [
      'Another key has signed it',
    ]);
    const text = (name: string) => JSON.parse(String(files.get(name)));
    assert.deepEqual([text('attempt.json').id, text('attempt.json').assessment_id], [attempt, id]);
    // A cluster does not tell the images of its nodes apart.
    if (!isOnCluster) assert.match(text('attempt.json').image_id, /^sha256:/);
    assert.deepEqual(
      text('results.json').map(({ passed, output }: { passed: boolean; output: string }) => [passed, output]),
      [
        [true, 'PASS\n'],
        [false, 'FAIL\n'],
      ],
    );
    assert.ok(text('events.json').some(({ type }: { type: string }) => type === 'exam_submit'));
    const paths = gunzipSync(files.get('paths.txt.gz') ?? Buffer.alloc(0))
      .toString()
      .split('\n');
    for (const path of ['./srv/done', './srv/a b/', './etc/prepared', './srv/pipe'])
      assert.ok(paths.includes(path), path);
    for (const path of ['./etc/issue', './usr/share/doc/bash/', './run/volatile'])
      assert.ok(!paths.includes(path), path);
    await writeFile(join(folder, 'layer.gz'), files.get('layer.cpio.gz') ?? '');
    const names = gunzipSync(await readFile(join(folder, 'layer.gz'))).toString('latin1');
    for (const name of ['srv/a b/c', 'srv/link', 'srv/twin', 'etc/prepared'])
      assert.ok(names.includes(`${name}\0`), name);
    for (const name of ['volatile', 'etc/passwd', 'proc/', 'lines']) assert.ok(!names.includes(`${name}\0`), name);
    await until(async () => !(await room.names()).some((name) => name.endsWith(`exam-${id}-user`)), 'the removal');
  });

  // Long: one machine with files of everybody who writes on it.
  it('belong to their student once the results are shown: what the account could read before the checks ran', async () => {
    const setup = `mkdir -m 700 /srv/closed; echo secret-1 >/srv/closed/value; echo secret-2 >/root/value
      echo secret-3 >/srv/hidden; chmod 600 /srv/hidden; echo given >/srv/given`;
    const id = await room.make('exam', ['echo secret-4 | tee /tmp/of-check /srv/given >/dev/null; echo PASS'], {
      setup_script: setup,
    });
    const student = await room.server.user();
    const { attempt_id: attempt, container_name } = await room.start(student, 'exam', id);
    const [folder, long] = ['n'.repeat(90), 'n'.repeat(120)];
    const work = `su student -c 'echo mine >~/mine; echo private >~/private; chmod 0 ~/private; mkdir -p ~/${folder}; echo x >~/${folder}/${long}; echo y >~/${folder}/short'
      echo config >/etc/app.conf; echo big >/srv/big; head -c 3000000 /dev/urandom >>/srv/big; touch -d '2 seconds ago' /etc/app.conf /srv/big; ln -s big /srv/link`;
    await room.asRoot(container_name, work);
    assert.equal((await room.server.post(`/api/exams/${id}/submit`, student.token)).status, 200);
    assert.equal((await isSettled(room, attempt)).status, 'kept');
    const own = async () => filesOf((await room.server.get('/api/profile/data', student.token)).bytes);
    const files = await own();
    const machine = `machines/attempt-${attempt}`;
    const text = (path: string) => files.get(`${machine}/files/${path}`)?.toString();
    assert.deepEqual(
      ['home/student/mine', 'home/student/private', 'etc/app.conf', `home/student/${folder}/short`].map(text),
      ['mine\n', 'private\n', 'config\n', 'y\n'],
    );
    assert.equal(files.get(`${machine}/files/srv/big`)?.length, 3_000_004);
    const readme = files.get('README.txt')?.toString() ?? '';
    assert.match(readme, /^Left out: machines\/attempt-\d+: files whose names are too long for the archive: 1\.$/m);
    for (const [name, content] of files)
      assert.doesNotMatch(content.toString('latin1'), /secret-|#!\/bin|PASS\b.*tee/, name);
    for (const name of ['srv/given', 'srv/hidden', 'srv/link', 'root/value', 'srv/closed/value', 'tmp/of-check'])
      assert.equal(text(name), undefined, name);
    const evidence = await download(room, attempt);
    assert.deepEqual(files.get(`${machine}/paths.txt.gz`), evidence.files.get('paths.txt.gz'));

    const machines = async () => [...(await own()).keys()].filter((name) => name.startsWith('machines/'));
    await sql`update attempts set withheld = 'results' where id = ${attempt}`.execute(room.server.application.db);
    assert.deepEqual(await machines(), []);
    await sql`update attempts set withheld = null where id = ${attempt}`.execute(room.server.application.db);
    assert.ok((await machines()).length > 0);
    await sql`update attempt_evidence set key = repeat('a', 40) where attempt_id = ${attempt}`.execute(
      room.server.application.db,
    );
    assert.deepEqual(await machines(), [], 'its files are gone');
  });

  const notDocker = isOnCluster && 'it is about commands of Docker';
  itLong(
    'are read while what runs in the machine stands still, and commands of the engine end',
    {
      skip: notDocker,
    },
    async () => {
      const { engine } = room.server.application;
      const image = 'platform-exam-linux-basics';
      const limits = { memoryMb: 256, cpus: 1, processes: 200, diskMb: 256, hasInternet: false };
      const ref = await engine.create({ name: 'read-while-used', uid: randomUUID(), image, ...limits });
      try {
        const { stream, exitCode } = await engine.openCommand(ref, 'read -r line; exit 3');
        stream.resume();
        await listPaths(engine, ref, 0);
        stream.write('\n');
        // The engine waits for a command that is stopped, and can do nothing else with the container.
        await within(20_000, 'a command of the engine', once(stream, 'end'));
        assert.equal(await exitCode(), 3);
        const { output } = await runInContainer(room.docker, ref, 'ps -eo stat,args', 'root');
        assert.match(output, /^T.* sleep infinity$/m);
      } finally {
        await engine.remove(ref);
      }
    },
  );

  itLong('leave out the files of an image that was unpacked just before', { skip: notDocker }, async () => {
    const { engine } = room.server.application;
    const limits = { memoryMb: 256, cpus: 1, processes: 200, diskMb: 256, hasInternet: false };
    const machine = async (name: string, image: string) =>
      await engine.create({ name, uid: randomUUID(), image, ...limits });
    const first = await machine('before-its-image', 'platform-exam-linux-basics');
    await runInContainer(room.docker, first, 'echo x >/srv/of-the-image', 'root');
    const { Id: image }: { Id: string } = await room.docker.getContainer(first).commit();
    const unpacked = Math.floor(Date.now() / 1000);
    await until(() => Math.floor(Date.now() / 1000) > unpacked, 'the next second');
    const ref = await machine('of-a-new-image', image);
    try {
      await runInContainer(room.docker, ref, 'echo x >/srv/own', 'root');
      const made = (await engine.inspect(ref))?.createdAt.getTime() ?? 0;
      await listPaths(engine, ref, Math.floor(made / 1000));
      const layer = gunzipSync(await buffer(readLayer(engine, ref))).toString('latin1');
      assert.deepEqual([layer.includes('srv/own\0'), layer.includes('srv/of-the-image\0')], [true, false]);
    } finally {
      await Promise.all([first, ref].map((made) => engine.remove(made)));
      await room.docker.getImage(image).remove();
    }
  });

  it('are checked by a command without a database, in plain words', async () => {
    const { attempt } = await ended(room, 'echo x >/srv/done');
    await isSettled(room, attempt);
    const { file, bytes } = await download(room, attempt);
    const main = join(import.meta.dirname, '../../src/main.ts');
    const check = (path: string) =>
      run(process.execPath, [main, 'verify-evidence', path], { env: { PATH: process.env['PATH'] } }).then(
        ({ stdout }) => ({ code: 0, stdout }),
        ({ code, stdout }: { code: number; stdout: string }) => ({ code, stdout }),
      );
    const sound = await check(file);
    assert.equal(sound.code, 0, sound.stdout);
    assert.match(sound.stdout, /complete and unchanged/);
    const at = bytes.indexOf('not yet') >= 0 ? bytes.indexOf('not yet') : bytes.indexOf('"passed": true');
    const changed = Buffer.from(bytes);
    changed.write('X', at + 1);
    await writeFile(`${file}.changed`, changed);
    await writeFile(`${file}.cut`, bytes.subarray(0, bytes.length - 4096));
    await writeFile(`${file}.longer`, Buffer.concat([bytes, bytes]));
    for (const [name, problem] of [
      ['changed', /attempt\.json was changed/],
      ['cut', /its end is missing|no signed manifest/],
      ['longer', /something follows its end/],
    ] as const) {
      const { code, stdout } = await check(`${file}.${name}`);
      assert.equal(code, 1, stdout);
      assert.match(stdout, problem);
      assert.match(stdout, /Do not rely on it/);
    }
  });

  it('are there for staff who see the student, after the end', async () => {
    const student = await room.server.user();
    const id = await room.make('exam', ['echo PASS']);
    const { attempt_id } = await room.start(student, 'exam', id);
    const early = await room.server.get(pathOf(attempt_id), room.admin.token);
    assert.deepEqual([early.status, early.code], [404, 'evidence_gone']);
    assert.equal((await summaryOf(room, attempt_id)).status, 'none');
    assert.equal((await room.server.get(pathOf(attempt_id), student.token)).status, 403);
    assert.equal((await room.server.get(pathOf(2_000_000_000), room.admin.token)).code, 'not_found');
    // One that was abandoned may have been so by mistake.
    assert.equal((await room.server.post(`/api/exams/attempts/${attempt_id}/abandon`, student.token)).status, 200);
    assert.equal((await isSettled(room, attempt_id)).status, 'kept');
  });

  itLong('leave out the largest files where all would be too much, and say so', async () => {
    const { attempt } = await ended(room, 'echo small >/srv/done; head -c 300000000 /dev/zero >/srv/large');
    const summary = await isSettled(room, attempt);
    assert.deepEqual([summary.status, summary.notes], ['kept', ['files_left_out']]);
    const { files } = await download(room, attempt);
    assert.match(gunzipSync(files.get('paths.txt.gz') ?? '').toString(), /^! \.\/srv\/large$/m);
  });

  // A cluster replaces a lost machine, with its home folder.
  itLong('are kept where the container is gone, without its files', { skip: notDocker }, async () => {
    const student = await room.server.user();
    const id = await room.make('exam', ['echo PASS']);
    const { attempt_id, container_name } = await room.start(student, 'exam', id);
    await room.lose(container_name);
    await until(
      async () => (await room.server.post(`/api/exams/${id}/submit`, student.token)).code === 'attempt_lost',
      'the loss',
    );
    const summary = await isSettled(room, attempt_id);
    assert.deepEqual([summary.status, summary.notes, summary.is_restorable], ['kept', ['container_lost'], false]);
    const { file } = await download(room, attempt_id);
    assert.deepEqual((await verifyEvidence(file)).problems, []);
  });

  it('go with the account of the student', async () => {
    const { attempt, student } = await ended(room, 'echo x >/srv/done');
    await isSettled(room, attempt);
    const { evidence, db } = room.server.application;
    const { key } = await db
      .selectFrom('attempt_evidence')
      .selectAll()
      .where('attempt_id', '=', attempt)
      .executeTakeFirstOrThrow();
    assert.equal(
      (await room.server.request('DELETE', `/api/admin/users/${student.id}`, { token: room.admin.token })).status,
      200,
    );
    await evidence.sweep(Date.now() + 7_200_000);
    await assert.rejects(readFile(join(room.server.dataDir, 'evidence', `${key}.tar`)), { code: 'ENOENT' });
    await assert.rejects(readFile(join(room.server.dataDir, 'evidence', `${key}.layer`)), { code: 'ENOENT' });
  });

  it('are not kept where that is switched off', async () => {
    await using place = await Classroom.open({ EVIDENCE_DAYS: '0' });
    const { attempt } = await ended(place, 'echo x >/srv/done');
    await place.server.reconcile();
    assert.equal((await summaryOf(place, attempt)).status, 'none');
    assert.deepEqual(await place.server.application.db.selectFrom('containers').selectAll().execute(), []);
  });

  itLong('give way to newer ones within the budget, and administrators are notified', async () => {
    await using place = await Classroom.open({ EVIDENCE_MB: '3' });
    const fill = 'echo x >/srv/done; head -c 2000000 /dev/urandom >/srv/noise';
    const first = await ended(place, fill);
    await isSettled(place, first.attempt);
    const second = await ended(place, fill);
    await isSettled(place, second.attempt);
    await until(async () => (await summaryOf(place, first.attempt)).status === 'none', 'the older evidence to go');
    assert.equal((await summaryOf(place, second.attempt)).status, 'kept');
    assert.equal((await place.server.get(pathOf(first.attempt), place.admin.token)).code, 'evidence_gone');
    const notices = await place.server.get('/api/notifications', place.admin.token);
    assert.deepEqual(
      notices.body.map(({ kind }: { kind: string }) => kind),
      ['evidence'],
    );
    // One that is larger than the budget has no files, and the container is removed as well.
    const huge = await ended(place, 'echo x >/srv/done; head -c 8000000 /dev/urandom >/srv/noise');
    assert.deepEqual((await isSettled(place, huge.attempt)).notes, ['layer_failed']);
    await until(
      async () => (await place.server.application.db.selectFrom('containers').selectAll().execute()).length === 0,
      'the removal of all containers',
    );
  });
});
