import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Cluster, openCluster } from '../src/adapters/kubernetes/cluster.ts';
import { openEngine } from '../src/compose/engine.ts';
import { createObjectStore } from '../src/compose/storage.ts';
import { loadConfig } from '../src/config.ts';
import type { ContainerEngine } from '../src/ports/container-engine.ts';
import { argumentsOf, type TestSettings } from './settings.ts';
import { until } from './until.ts';

/**
 * Tests on Kubernetes take any cluster, by `KUBECONFIG`; it must have the images. Without that variable they are skipped, in CI as
 * well. With it, a cluster that does not answer is a failure.
 */
export const clusterSkip: string | false = process.env['KUBECONFIG'] ? false : 'KUBECONFIG names no cluster';

/** A registry of a test listens on this machine's loopback, which only the nodes of a cluster on this machine reach. */
export const clusterRegistrySkip: string | false =
  clusterSkip ||
  (/server: *"?https?:\/\/127\./.test(readFileSync(process.env['KUBECONFIG'] ?? '', 'utf8'))
    ? false
    : 'the nodes of the cluster do not reach this machine');

/** The configuration of a service on the cluster, in a namespace for tests where `TEST_NAMESPACE` names one. */
export const clusterVariables = (dataDir: string, settings: TestSettings = {}): TestSettings => ({
  CONTAINER_ENGINE: 'kubernetes',
  KUBECONFIG: process.env['KUBECONFIG'],
  KUBERNETES_NAMESPACE: process.env['TEST_NAMESPACE'],
  // Many small containers on a small cluster.
  KUBERNETES_REQUEST_PERCENT: '5',
  DATA_DIR: dataDir,
  ...settings,
});

/** An engine on the cluster. Its disposal removes its data folder and what it has left on the cluster. */
export async function openClusterEngine(
  settings: TestSettings = {},
  installation: string = `test-${randomUUID()}`,
  pinned?: (name: string) => Promise<string | undefined>,
): Promise<ContainerEngine> {
  const dataDir = await mkdtemp(join(tmpdir(), 'platform-test-'));
  const config = loadConfig(...argumentsOf(clusterVariables(dataDir, settings)));
  const engine = await openEngine(config, { reason: 'not used' }, installation, createObjectStore(config), pinned);
  const dispose = engine[Symbol.asyncDispose].bind(engine);
  engine[Symbol.asyncDispose] = async () => {
    await dispose();
    await rm(dataDir, { recursive: true, force: true });
    await removeFromCluster(installation, config.kubernetes.namespace);
  };
  return engine;
}

/** Whether the services of tests have their containers on the cluster. */
export const isOnCluster = process.env['TEST_CONTAINER_ENGINE'] === 'kubernetes';

/** Removes everything of an installation that a test has left on the cluster. */
export async function removeFromCluster(installation: string, namespace?: string): Promise<void> {
  // The account of a test can lack the rights.
  using cluster = await openCluster({ kubeconfig: process.env['KUBECONFIG'], namespace });
  const query = { labelSelector: `platform.installation=${installation}` };
  const policies = `/apis/networking.k8s.io/v1/namespaces/${cluster.namespace}/networkpolicies`;
  const body = { gracePeriodSeconds: 0 };
  for (const path of [cluster.path('pods'), cluster.path('configmaps'), cluster.path('secrets'), policies])
    await cluster.request('DELETE', path, { query, body, signal: AbortSignal.timeout(30_000) });
}

/** Calls the cluster of the tests. */
export async function inNamespace<Result>(
  namespace: string | undefined,
  call: (cluster: Cluster) => Promise<Result>,
): Promise<Result> {
  using cluster = await openCluster({ kubeconfig: process.env['KUBECONFIG'], namespace });
  return await call(cluster);
}

/**
 * Closes a namespace for further Pods with a quota, until the result is disposed. The API server refuses Pods some time after it has stored
 * a quota, so this waits until it refuses one.
 */
export async function closeNamespace(namespace: string): Promise<AsyncDisposable> {
  const call = (method: string, pathOf: (cluster: Cluster) => string, body?: object, query = {}) =>
    inNamespace(namespace, (cluster) => cluster.request(method, pathOf(cluster), { body, query }));
  const name = 'full';
  const remove = () => call('DELETE', (cluster) => cluster.path('resourcequotas', name));
  await call('POST', (cluster) => cluster.path('resourcequotas'), {
    metadata: { name },
    spec: { hard: { pods: '0' } },
  });
  const pod = { metadata: { name: 'one-more' }, spec: { containers: [{ name: 'main', image: 'none' }] } };
  const isRefused = () =>
    call('POST', (cluster) => cluster.path('pods'), pod, { dryRun: 'All' }).then(
      () => false,
      (error: unknown) => /exceeded quota/.test(String(error)),
    );
  try {
    await until(isRefused, 'the quota');
  } catch (error) {
    await remove();
    throw error;
  }
  return { [Symbol.asyncDispose]: async () => void (await remove()) };
}
