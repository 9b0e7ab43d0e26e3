import { randomUUID } from 'node:crypto';
import Docker from 'dockerode';
import { DockerEngine } from '../src/adapters/docker/docker-engine.ts';
import type { ContainerEngine, ContainerSpec } from '../src/ports/container-engine.ts';
import { clusterRegistrySkip, clusterSkip, openClusterEngine } from './cluster.ts';
import { engineSkip, testEngine } from './server.ts';

/** An engine that the contracts of the port run on. */
export type EngineUnderTest = {
  name: string;
  /** For `describe`'s `skip`. */
  skip: string | false;
  /** For tests with a registry on this machine. */
  registrySkip: string | false;
  /** An engine with an installation of its own. */
  open(added?: AddedImages): Promise<ContainerEngine>;
};

/** The identifiers of added images by name. */
type AddedImages = ReadonlyMap<string, string>;

async function openDockerEngine(added?: AddedImages): Promise<ContainerEngine> {
  const found = await testEngine();
  if (!('options' in found)) throw new Error('reason' in found ? found.reason : 'no engine');
  const docker = new Docker(found.options);
  return new DockerEngine({
    docker,
    installation: `test-${randomUUID()}`,
    callTimeout: 30_000,
    pinned: lookUp(added),
  });
}

const lookUp = (added?: AddedImages) => async (name: string) => added?.get(name);

export const engines: readonly EngineUnderTest[] = [
  { name: 'Docker', skip: engineSkip, registrySkip: engineSkip, open: openDockerEngine },
  {
    ...{ name: 'Kubernetes', skip: clusterSkip, registrySkip: clusterRegistrySkip || engineSkip },
    open: (added?: AddedImages) => openClusterEngine({}, undefined, lookUp(added)),
  },
];

/** A small container. */
export const smallContainer = (image = 'platform-exam-linux-basics'): ContainerSpec => ({
  ...{ name: `test-${randomUUID()}`, uid: randomUUID(), image },
  ...{ memoryMb: 256, cpus: 1, processes: 128, diskMb: 64, hasInternet: false },
});
