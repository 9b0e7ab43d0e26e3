import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import Docker from 'dockerode';
import { ImageRegistry } from '../image-registry.ts';
import { image, makeAssessment } from '../made-assessment.ts';
import { itLong } from '../rounds.ts';
import { engineSkip, TestServer, type TestUser } from '../server.ts';
import { until } from '../until.ts';

const path = '/api/admin/images';

describe('images of registries', { skip: engineSkip }, () => {
  const docker = new Docker();
  let server: TestServer;
  let registry: ImageRegistry;
  let admin: TestUser;
  before(async () => {
    registry = await ImageRegistry.start();
    server = await TestServer.start();
    admin = await server.user('admin');
    await registry.push('bare:1', 'platform-grader');
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    await registry?.[Symbol.asyncDispose]();
  });

  const read = async (id: number) => (await server.get(`${path}/${id}`, admin.token)).body;
  const pulled = async (id: number) => {
    await until(async () => (await read(id)).state !== 'pulling', 'the end of the pull', 300_000);
    return await read(id);
  };
  const add = async (reference: string, more: object = {}) => {
    const { status, body, text } = await server.post(path, admin.token, { name: 'Added', reference, ...more });
    assert.equal(status, 201, text);
    return await pulled(body.id);
  };
  const isAbsent = async (name: string): Promise<boolean> =>
    await docker
      .getImage(name)
      .inspect()
      .then(() => false)
      .catch(({ statusCode }: { statusCode: number }) => statusCode === 404);
  /** An image of the engine as if it had been pulled and had passed. */
  const addPulled = async (name: string, from: string, change: string) => {
    const reference = registry.reference(`${name}:1`);
    const container = await docker.createContainer({ Image: from, Cmd: ['true'] });
    await container.commit({ repo: registry.reference(name), tag: '1', changes: change });
    await container.remove();
    const { Id: image_id } = await docker.getImage(reference).inspect();
    const values = { name, reference, username: null, state: 'ready' as const, image_id };
    const rows = server.application.db.insertInto('container_images').values(values).returning('id');
    return { ...(await rows.executeTakeFirstOrThrow()), image_id, reference };
  };
  it('are those that the project ships at first', async () => {
    const { body } = await server.get(path, admin.token);
    const shipped = body.filter(({ is_shipped }: { is_shipped: boolean }) => is_shipped);
    assert.ok(
      shipped.some((one: { reference: string; state: string }) => one.reference === image && one.state === 'ready'),
    );
    assert.ok(!shipped.some(({ reference }: { reference: string }) => reference === 'platform-grader'));
  });

  it('are refused with what they lack, and nothing starts on them', async () => {
    const reference = registry.reference('bare:1');
    const { id, state, problem, lacks, is_usable } = await add(reference, { credential: registry.credential });
    assert.deepEqual([state, problem, is_usable], ['failed', 'parts_missing', false]);
    assert.deepEqual(lacks, ['sshd', 'bash', 'student', 'grader']);
    const exam = { title: 'Exam', container_image: reference, passing_score: 0, time_limit_minutes: 5 };
    const saved = await server.post('/api/admin/exams', admin.token, exam);
    assert.deepEqual([saved.status, saved.code], [409, 'image_not_usable']);
    // What was refused does not stay on the engine's disk.
    await until(() => isAbsent(reference), 'the deletion of the refused image');
    assert.equal((await server.delete(`${path}/${id}`, admin.token)).status, 200);
    assert.equal((await server.get(`${path}/${id}`, admin.token)).status, 404);
  });

  it('leave the disk of the engine when they are removed, as soon as no container has them', async () => {
    const { id, image_id, reference } = await addPulled('used', 'platform-grader', 'LABEL kept=yes');
    const container = await docker.createContainer({ Image: image_id, Cmd: ['true'] });
    try {
      assert.equal((await server.delete(`${path}/${id}`, admin.token)).status, 200);
      await server.application.images.run();
      assert.equal(await isAbsent(image_id), false);
    } finally {
      await container.remove();
    }
    await server.application.images.run();
    assert.equal(await isAbsent(image_id), true);
    assert.equal(await isAbsent(reference), true);
  });

  it('stay on the disk of the engine while a container of the service may start from them again', async () => {
    const [before, now] = [
      await addPulled('before', 'platform-grader', 'LABEL edition=before'),
      await addPulled('now', 'platform-grader', 'LABEL edition=now'),
    ];
    const { db, images } = server.application;
    const row = db.updateTable('container_images').where('id', '=', before.id);
    await row.set({ image_id: now.image_id, stale_ids: [before.image_id] }).execute();
    const { id: user_id } = await server.user('student');
    const kept = {
      name: 'kept',
      user_id,
      kind: 'sandbox' as const,
      image: before.reference,
      ...{ status: 'stopped' as const, engine_ref: 'gone' },
    };
    const stopped = db
      .insertInto('containers')
      .values({ ...kept, image_id: before.image_id })
      .returning('id');
    const { id } = await stopped.executeTakeFirstOrThrow();
    await images.run();
    assert.equal(await isAbsent(before.image_id), false);
    await db.deleteFrom('containers').where('id', '=', id).execute();
    await images.run();
    assert.equal(await isAbsent(before.image_id), true);
    for (const one of [before, now]) await server.delete(`${path}/${one.id}`, admin.token);
    await images.run();
    assert.equal(await isAbsent(now.image_id), true);
  });

  it('stay on the disk of the engine under their other names, and for another added image', async () => {
    const [one, two] = [
      await addPulled('one', 'platform-grader', 'LABEL shared=yes'),
      await addPulled('two', 'platform-grader', 'LABEL other=yes'),
    ];
    // Both have the same image, and so has a name that nobody added.
    const kept = registry.reference('kept');
    await docker.getImage(one.image_id).tag({ repo: kept, tag: '1' });
    const { db, images } = server.application;
    const row = db.updateTable('container_images').where('id', '=', two.id);
    await row.set({ image_id: one.image_id, stale_ids: [two.image_id] }).execute();
    await server.delete(`${path}/${one.id}`, admin.token);
    await images.run();
    assert.deepEqual([await isAbsent(one.reference), await isAbsent(two.image_id)], [false, true]);
    await server.delete(`${path}/${two.id}`, admin.token);
    await images.run();
    assert.deepEqual([await isAbsent(one.reference), await isAbsent(`${kept}:1`)], [true, false]);
    await docker.getImage(`${kept}:1`).remove();
    assert.equal(await isAbsent(one.image_id), true);
  });

  it('give their containers no capability by a label', async () => {
    const { id, reference } = await addPulled(
      'greedy',
      image,
      'LABEL platform.capabilities=SYS_ADMIN,NET_BIND_SERVICE',
    );
    const exam = await makeAssessment(server, admin, 'exam', ['echo PASS'], { container_image: reference });
    const student = await server.user('student');
    const started = await server.post(`/api/exams/${exam}/start`, student.token);
    assert.equal(started.status, 201, started.text);
    const { db } = server.application;
    const rows = db.selectFrom('containers').select('engine_ref').where('id', '=', started.body.container_id);
    const { engine_ref } = await rows.executeTakeFirstOrThrow();
    const { HostConfig } = await docker.getContainer(engine_ref ?? '').inspect();
    const added = (HostConfig.CapAdd ?? []).map((name: string) => name.replace(/^CAP_/, ''));
    assert.ok(added.includes('SYS_CHROOT'), 'what a login needs');
    for (const greedy of ['SYS_ADMIN', 'NET_BIND_SERVICE']) assert.ok(!added.includes(greedy), greedy);
    const submitted = await server.post(`/api/exams/${exam}/submit`, student.token);
    assert.equal(submitted.body.passed, true, submitted.text);
    await server.delete(`/api/admin/exams/${exam}`, admin.token);
    assert.equal((await server.delete(`${path}/${id}`, admin.token)).status, 409, 'its retired exam has it');
  });

  it('need the right credential, which nobody reads', async () => {
    const wrong = { username: 'school', password: 'a-wrong-secret' };
    const { id, problem, username } = await add(registry.reference('bare:1'), { credential: wrong });
    assert.deepEqual([problem, username], ['registry_denied', 'school']);
    const { password } = registry.credential;
    const changed = await server.put(`${path}/${id}`, admin.token, { credential: registry.credential });
    assert.ok(!changed.text.includes(password));
    assert.equal((await pulled(id)).problem, 'parts_missing');
    const { body, text } = await server.get('/api/admin/activity', admin.token);
    assert.ok(body.some(({ type }: { type: string }) => type === 'admin_container_image_update'));
    assert.ok(!text.includes(password));
    const none = await server.put(`${path}/${id}`, admin.token, { credential: null });
    assert.equal(none.body.username, null);
    assert.equal((await pulled(id)).problem, 'registry_denied');
    assert.equal((await server.delete(`${path}/${id}`, admin.token)).status, 200);
  });

  it('tell that the reference or the registry does not exist', async () => {
    const absent = await add(registry.reference('absent:1'), { credential: registry.credential });
    assert.equal(absent.problem, 'reference_unknown');
    const gone = await add('127.0.0.1:9/school/net');
    assert.deepEqual([gone.problem, gone.reference], ['registry_unreachable', '127.0.0.1:9/school/net:latest']);
    const again = await server.post(path, admin.token, { name: 'Twice', reference: '127.0.0.1:9/school/net' });
    assert.deepEqual([again.status, again.code], [409, 'image_exists']);
  });

  it('have a whole reference with a registry', async () => {
    const unusable = [
      ...[
        'debian',
        'library/debian:12',
        'https://images.example.com/net',
        'registry.example.com/../net',
        'a.b/c@sha256:1',
      ],
      ...[
        'registry.example.com',
        'user:secret@registry.example.com/net',
        'registry.example.com/Net',
        'a.b//c',
        '-a.b/c',
      ],
    ];
    for (const reference of unusable)
      assert.equal((await server.post(path, admin.token, { name: 'No', reference })).status, 422, reference);
  });

  // Long: pushes an image of 300 MB.
  itLong('are used as they were examined, until another one has passed', async () => {
    const reference = registry.reference('net:1');
    await registry.push('net:1', image, ['LABEL edition=first']);
    const first = await add(reference, { credential: registry.credential });
    assert.deepEqual([first.state, first.lacks], ['ready', []]);
    assert.match(first.digest, /^sha256:[0-9a-f]{64}$/);
    const exam = await makeAssessment(server, admin, 'exam', ['echo PASS'], { container_image: reference });
    const labelNow = async (): Promise<string | undefined> => {
      const student = await server.user('student');
      const started = await server.post(`/api/exams/${exam}/start`, student.token);
      assert.equal(started.status, 201, started.text);
      const [{ engine_ref } = { engine_ref: null }] = await server.application.db
        .selectFrom('containers')
        .select('engine_ref')
        .where('id', '=', started.body.container_id)
        .execute();
      const { Config } = await docker.getContainer(engine_ref ?? '').inspect();
      const submitted = await server.post(`/api/exams/${exam}/submit`, student.token);
      assert.equal(submitted.body.passed, true, submitted.text);
      return Config.Labels['edition'];
    };
    assert.equal(await labelNow(), 'first');
    // Under the same name: what lacks something, then what is whole.
    await registry.push('net:1', 'platform-grader', ['LABEL edition=bare']);
    await server.post(`${path}/${first.id}/pull`, admin.token);
    const bare = await pulled(first.id);
    assert.deepEqual(
      [bare.state, bare.problem, bare.is_usable, bare.digest],
      [...['failed', 'parts_missing', true], first.digest],
    );
    assert.equal(await labelNow(), 'first');
    await registry.push('net:1', image, ['LABEL edition=second']);
    await server.post(`${path}/${first.id}/pull`, admin.token);
    const second = await pulled(first.id);
    assert.equal(second.state, 'ready');
    assert.notEqual(second.digest, first.digest);
    assert.equal(await labelNow(), 'second');
  });

  it('are pulled after a process that was pulling them is gone', async () => {
    const { db, images } = server.application;
    // What a killed process leaves: the state, and no lock.
    const left = { name: 'Cut off', reference: '127.0.0.1:9/school/left:1', username: null, percent: 40 };
    const { id } = await db.insertInto('container_images').values(left).returning('id').executeTakeFirstOrThrow();
    await images.run();
    const { state, problem } = await read(id);
    assert.deepEqual([state, problem], ['failed', 'registry_unreachable']);
  });
});
