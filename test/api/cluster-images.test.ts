import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { clusterRegistrySkip, inNamespace, isOnCluster } from '../cluster.ts';
import { ImageRegistry } from '../image-registry.ts';
import { image, makeAssessment } from '../made-assessment.ts';
import { TestServer, type TestUser } from '../server.ts';
import { until } from '../until.ts';

const path = '/api/admin/images';
const skip = clusterRegistrySkip || (isOnCluster ? false : 'TEST_CONTAINER_ENGINE is not kubernetes');

describe('images of registries on a cluster', { skip, timeout: 600_000 }, () => {
  let server: TestServer;
  let registry: ImageRegistry;
  let admin: TestUser;
  before(async () => {
    registry = await ImageRegistry.start();
    server = await TestServer.start();
    admin = await server.user('admin');
    await registry.push('net:1', image, [`LABEL mark=${randomUUID()}`]);
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    await registry?.[Symbol.asyncDispose]();
  });

  const pulled = async (id: number) => {
    const read = async () => (await server.get(`${path}/${id}`, admin.token)).body;
    await until(async () => (await read()).state !== 'pulling', 'the end of the pull', 300_000);
    return await read();
  };
  const pullAgain = async (id: number) => {
    await server.post(`${path}/${id}/pull`, admin.token);
    return await pulled(id);
  };
  const credentials = async (): Promise<number> => {
    const { id } = await server.application.db.selectFrom('installation').select('id').executeTakeFirstOrThrow();
    const query = { labelSelector: `platform.installation=${id}` };
    return await inNamespace(server.config.kubernetes.namespace, async (cluster) => {
      const { items } = await cluster.request<{ items: [] }>('GET', cluster.path('secrets'), { query });
      return items.length;
    });
  };

  // Long: one image from its addition to its removal, since it is pushed and pulled.
  it('are added with a credential, used by their digest until another one has passed, and removed', async () => {
    const reference = registry.reference('net:1');
    const wrong = { username: 'school', password: 'a-wrong-secret' };
    const added = await server.post(path, admin.token, { name: 'Net', reference, credential: wrong });
    assert.equal(added.status, 201, added.text);
    const { id } = added.body;
    assert.equal((await pulled(id)).problem, 'registry_denied');
    assert.equal(await credentials(), 0);
    await server.put(`${path}/${id}`, admin.token, { credential: registry.credential });
    const first = await pulled(id);
    assert.deepEqual([first.state, first.problem, first.percent], ['ready', null, 100]);
    assert.equal(await credentials(), 1);

    const exam = await makeAssessment(server, admin, 'exam', ['test -x /usr/sbin/sshd && echo PASS'], {
      container_image: reference,
    });
    const passes = async (): Promise<string | null> => {
      const student = await server.user('student');
      const started = await server.post(`/api/exams/${exam}/start`, student.token);
      assert.equal(started.status, 201, started.text);
      const rows = server.application.db.selectFrom('containers').select('image_id');
      const { image_id } = await rows.where('id', '=', started.body.container_id).executeTakeFirstOrThrow();
      const submitted = await server.post(`/api/exams/${exam}/submit`, student.token);
      assert.equal(submitted.body.passed, true, submitted.text);
      return image_id;
    };
    assert.equal(await passes(), `${reference}@${first.digest}`);

    await registry.push('net:1', 'platform-grader');
    const bare = await pullAgain(id);
    assert.deepEqual(
      [bare.state, bare.problem, bare.is_usable, bare.digest],
      ['failed', 'parts_missing', true, first.digest],
    );
    assert.equal(await passes(), `${reference}@${first.digest}`);
    await registry.push('net:1', image, [`LABEL mark=${randomUUID()}`]);
    const second = await pullAgain(id);
    assert.deepEqual([second.state, second.is_usable], ['ready', true]);
    assert.equal(await passes(), `${reference}@${second.digest}`);
    // Warm containers of the first image have its credential.
    await server.reconcile();
    await server.application.images.run();
    await until(async () => (await credentials()) === 1, 'the credential of the first image is gone');

    const used = await server.delete(`${path}/${id}`, admin.token);
    assert.deepEqual([used.status, used.code], [409, 'image_in_use']);
    const other = await server.put(`/api/admin/exams/${exam}`, admin.token, { container_image: image });
    assert.equal(other.status, 200, other.text);
    await server.reconcile();
    await until(async () => {
      await server.application.images.run();
      return (await server.delete(`${path}/${id}`, admin.token)).status === 200;
    }, 'no container has the image');
    await until(async () => {
      await server.application.images.run();
      return (await credentials()) === 0;
    }, 'the credential is gone');
  });
});
