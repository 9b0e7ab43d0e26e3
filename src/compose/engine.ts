import { declaredBy, imageNames } from '../../images/definitions.ts';
import { connectEngine, type EnginePlace } from '../adapters/docker/connect-engine.ts';
import type { Config } from '../config.ts';
import { ConflictError } from '../errors.ts';
import { HomeFiles } from '../features/capacity/home-files.ts';
import type { ContainerEngine } from '../ports/container-engine.ts';
import type { ObjectStore } from '../ports/object-store.ts';

/**
 * The container engine of the configuration. The client of Kubernetes is loaded only for a cluster.
 * @param found the engine of `docker`; not used for a cluster
 * @param objects the storage of the homes of stopped containers
 * @param pinned the identifiers of images that were added
 * @throws Error without a usable configuration of a cluster
 */
export async function openEngine(
  config: Config,
  found: EnginePlace,
  installation: string,
  objects: ObjectStore,
  pinned?: (name: string) => Promise<string | undefined>,
): Promise<ContainerEngine> {
  const { kind, callTimeout, internet, runtime } = config.engine;
  if (kind === 'docker') return connectEngine(found, { installation, callTimeout, internet, runtime, pinned });
  const { connectKubernetes } = await import('../adapters/kubernetes/connect-kubernetes.ts');
  return await connectKubernetes(config.kubernetes, {
    ...{ installation, callTimeout, internet, pinned },
    homes: new HomeFiles(objects, { limit: config.kubernetes.homeBytes, refusal: tooLarge }),
    shipped: imageNames.map((name) => [name, declaredBy(name)] as const),
  });
}

const tooLarge = (limit: number): ConflictError =>
  new ConflictError(
    'home_too_large',
    `The home folder has more than ${Math.floor(limit / 1024 / 1024)} MiB, so the sandbox cannot be stopped`,
  );
