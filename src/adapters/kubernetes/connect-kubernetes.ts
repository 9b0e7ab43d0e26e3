import type { ImageFacts } from '../engine/container-facts.ts';
import type { Internet } from '../engine/internet.ts';
import { type ClusterPlace, openCluster } from './cluster.ts';
import type { HomeStore } from './home-store.ts';
import { ImageList, readImageFacts } from './image-facts.ts';
import { KubernetesEngine } from './kubernetes-engine.ts';
import type { Placement } from './pod-manifest.ts';

export type KubernetesPlace = ClusterPlace &
  Placement & {
    /** A file with the output of `docker image inspect`. */
    imagesPath?: string | undefined;
  };

export type KubernetesParts = {
  installation: string;
  callTimeout: number;
  internet: Internet;
  homes: HomeStore;
  /** The identifiers of images that were added. Undefined: the name was not. */
  pinned?: ((name: string) => Promise<string | undefined>) | undefined;
  /** The facts of the images that the service ships, by name. */
  shipped: Iterable<readonly [string, ImageFacts]>;
};

/** Connects to a cluster, which need not answer yet. @throws Error without a usable configuration */
export async function connectKubernetes(place: KubernetesPlace, parts: KubernetesParts): Promise<KubernetesEngine> {
  const { shipped, ...rest } = parts;
  const described = place.imagesPath === undefined ? [] : await readImageFacts(place.imagesPath, place.imagePrefix);
  return new KubernetesEngine({
    ...rest,
    cluster: await openCluster(place),
    placement: place,
    images: new ImageList([...shipped, ...described]),
  });
}
