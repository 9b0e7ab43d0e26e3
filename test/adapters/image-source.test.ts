import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { type Cluster, openCluster } from '../../src/adapters/kubernetes/cluster.ts';
import { type ContainerEngine, ImagePullError, type PullOptions } from '../../src/ports/container-engine.ts';
import { clusterRegistrySkip, openClusterEngine } from '../cluster.ts';
import { testImageSource } from '../contracts/image-source.ts';
import { engines } from '../engines.ts';
import { ImageRegistry } from '../image-registry.ts';
import { engineSkip } from '../server.ts';
import { until } from '../until.ts';

for (const engine of engines) testImageSource(engine);

type Named = { metadata: { name: string } };

/** What the contract does not have: what lies in the cluster meanwhile, and what the nodes cannot pull. */
describe('a cluster that pulls images', { skip: clusterRegistrySkip || engineSkip, timeout: 600_000 }, () => {
  const installation = `test-${randomUUID()}`;
  let registry: ImageRegistry;
  let engine: ContainerEngine;
  let cluster: Cluster;
  before(async () => {
    registry = await ImageRegistry.start();
    await registry.push('bare:1', 'platform-grader');
    engine = await openClusterEngine({}, installation);
    cluster = await openCluster({ kubeconfig: process.env['KUBECONFIG'] });
  });
  after(async () => {
    await engine?.[Symbol.asyncDispose]();
    cluster?.[Symbol.dispose]();
    await registry?.[Symbol.asyncDispose]();
  });

  const list = async <Item extends Named>(kind: string): Promise<Item[]> => {
    const query = { labelSelector: `platform.installation=${installation}` };
    return (await cluster.request<{ items: Item[] }>('GET', cluster.path(kind), { query })).items;
  };
  const pull = (reference: string, options: Partial<PullOptions> = {}) =>
    (engine.images ?? assert.fail()).pull(reference, {
      ...{ credential: registry.credential, signal: AbortSignal.timeout(300_000) },
      ...{ onFound: async () => {}, onProgress: () => {}, ...options },
    });
  const kept = async () => await Promise.all(['pods', 'secrets', 'configmaps'].map((kind) => list(kind)));

  it('has the credential in a Secret for the nodes, until the image is removed', async () => {
    type Secret = Named & { type: string; data: Record<string, string> };
    const reference = registry.reference('bare:1');
    const { imageId } = await pull(reference);
    const [secret, ...others] = await list<Secret>('secrets');
    assert.equal(others.length, 0);
    assert.equal(secret?.type, 'kubernetes.io/dockerconfigjson');
    const { auths } = JSON.parse(Buffer.from(secret?.data['.dockerconfigjson'] ?? '', 'base64').toString());
    assert.deepEqual(
      [Object.keys(auths), auths[registry.host].password],
      [[registry.host], registry.credential.password],
    );
    const [record] = await list<Named & { data: object }>('configmaps');
    assert.equal(record?.metadata.name, secret?.metadata.name);
    assert.ok(!JSON.stringify(record).includes(registry.credential.password));
    // Another pull of the same image replaces its credential.
    await pull(reference);
    assert.deepEqual(
      (await kept()).map(({ length }) => length),
      [0, 1, 1],
    );
    assert.equal(await engine.images?.remove(imageId, reference), true);
    assert.deepEqual(await kept(), [[], [], []]);
  });

  it('examines in a Pod of its own, and ends it with the pull', async () => {
    const stopped = new AbortController();
    const pulling = pull(registry.reference('bare:1'), { signal: stopped.signal });
    pulling.catch(() => {});
    // biome-ignore lint/suspicious/noExplicitAny: what the API server has stored
    const pods = () => list<Named & { spec: any }>('pods');
    await until(async () => (await pods()).length === 1, 'the Pod');
    const [pod] = await pods();
    assert.match(pod?.spec.containers[0].image, /\/school\/bare@sha256:[0-9a-f]{64}$/);
    assert.equal(pod?.spec.automountServiceAccountToken, false);
    assert.deepEqual(pod?.spec.containers[0].securityContext.capabilities, { drop: ['ALL'] });
    const [secret] = await list('secrets');
    assert.ok(pod?.spec.imagePullSecrets.some(({ name }: { name: string }) => name === secret?.metadata.name));
    stopped.abort(new Error('the service stops'));
    await assert.rejects(pulling, /the service stops/);
    await until(async () => (await pods()).length === 0, 'the end of the Pod');
  });

  it('takes the place of the Pod that a killed process has left', async () => {
    const metadata = {
      name: `platform-examination-${installation}`,
      labels: { 'platform.installation': installation },
    };
    const spec = { containers: [{ name: 'main', image: 'platform-grader', imagePullPolicy: 'Never' }] };
    await cluster.request('POST', cluster.path('pods'), { body: { metadata, spec } });
    assert.equal((await pull(registry.reference('bare:1'))).lacks.length, 4);
  });

  it('reports what its nodes cannot pull', async () => {
    // The registry is gone by the time a node asks it for an image that no node has.
    await registry.push('fresh:1', 'platform-grader', [`LABEL mark=${randomUUID()}`]);
    await assert.rejects(
      pull(registry.reference('fresh:1'), { onFound: () => registry.close() }),
      (error) => error instanceof ImagePullError && error.problem === 'registry_unreachable',
    );
    await registry.open();
    assert.equal((await list('pods')).length, 0);
    assert.equal(engine.problem(), undefined);
  });
});
