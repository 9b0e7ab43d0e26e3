import { join } from 'node:path';
import { declaredBy, imageNames } from '../../images/definitions.ts';
import { HomeFolder } from '../adapters/disk/home-folder.ts';
import { connectEngine, type EnginePlace } from '../adapters/docker/connect-engine.ts';
import type { Config } from '../config.ts';
import type { ContainerEngine } from '../ports/container-engine.ts';

/**
 * The container engine of the configuration. The client of Kubernetes is loaded only for a cluster.
 * @param found the engine of `docker`; not used for a cluster
 * @throws Error without a usable configuration of a cluster
 */
export async function openEngine(config: Config, found: EnginePlace, installation: string): Promise<ContainerEngine> {
  const { kind, callTimeout, internet } = config.engine;
  if (kind === 'docker') return connectEngine(found, { installation, callTimeout, internet });
  const { connectKubernetes } = await import('../adapters/kubernetes/connect-kubernetes.ts');
  return await connectKubernetes(config.kubernetes, {
    ...{ installation, callTimeout, internet },
    homes: new HomeFolder(join(config.dataDir, 'homes'), config.kubernetes.homeBytes),
    shipped: imageNames.map((name) => [name, declaredBy(name)] as const),
  });
}
