import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Docker from 'dockerode';
import { DockerEngine } from '../src/adapters/docker/docker-engine.ts';
import { openEngine } from '../src/compose/engine.ts';
import { loadConfig } from '../src/config.ts';
import type { ContainerEngine, ContainerSpec } from '../src/ports/container-engine.ts';
import { engineSkip, testEngine } from './server.ts';

/** An engine that the contracts of the port run on. */
export type EngineUnderTest = {
  name: string;
  /** For `describe`'s `skip`. */
  skip: string | false;
  /** An engine with an installation of its own. */
  open(): Promise<ContainerEngine>;
};

/**
 * Tests on Kubernetes take any cluster, by `KUBECONFIG`; it must have the images. Without that variable they are skipped, in CI as
 * well. With it, a cluster that does not answer is a failure.
 */
export const clusterSkip: string | false = process.env['KUBECONFIG'] ? false : 'KUBECONFIG names no cluster';

/** The configuration of a service on the cluster, in a namespace for tests where `TEST_NAMESPACE` names one. */
export const clusterVariables = (
  dataDir: string,
  env: Record<string, string> = {},
): Record<string, string | undefined> => ({
  CONTAINER_ENGINE: 'kubernetes',
  KUBECONFIG: process.env['KUBECONFIG'],
  KUBERNETES_NAMESPACE: process.env['TEST_NAMESPACE'],
  // Many small containers on a small cluster.
  KUBERNETES_REQUEST_PERCENT: '5',
  DATA_DIR: dataDir,
  ...env,
});

/** An engine on the cluster. Its disposal removes its data folder as well. */
export async function openClusterEngine(env: Record<string, string> = {}): Promise<ContainerEngine> {
  const dataDir = await mkdtemp(join(tmpdir(), 'platform-test-'));
  const config = loadConfig(clusterVariables(dataDir, env));
  const engine = await openEngine(config, { reason: 'not used' }, `test-${randomUUID()}`);
  const dispose = engine[Symbol.asyncDispose].bind(engine);
  engine[Symbol.asyncDispose] = async () => {
    await dispose();
    await rm(dataDir, { recursive: true, force: true });
  };
  return engine;
}

async function openDockerEngine(): Promise<ContainerEngine> {
  const found = await testEngine();
  if (!('options' in found)) throw new Error('reason' in found ? found.reason : 'no engine');
  const docker = new Docker(found.options);
  return new DockerEngine({ docker, installation: `test-${randomUUID()}`, callTimeout: 30_000 });
}

export const engines: readonly EngineUnderTest[] = [
  { name: 'Docker', skip: engineSkip, open: openDockerEngine },
  { name: 'Kubernetes', skip: clusterSkip, open: openClusterEngine },
];

/** A small container. */
export const smallContainer = (image = 'platform-exam-linux-basics'): ContainerSpec => ({
  ...{ name: `test-${randomUUID()}`, uid: randomUUID(), image },
  ...{ memoryMb: 256, cpus: 1, processes: 128, diskMb: 64, hasInternet: false },
});
