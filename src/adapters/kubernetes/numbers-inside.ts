import type { Cluster } from './cluster.ts';
import { askInside } from './inside.ts';
import { type Pod, startOf, stateOf } from './pod.ts';

export type NumbersInsideParts = {
  cluster: Cluster;
  /** The Pods of the installation. */
  list: () => Promise<Pod[]>;
  /** Fails where the API server does not answer. */
  probe: () => Promise<void>;
  /** Milliseconds for each container. */
  timeout: number;
};

/**
 * Asks each running container for a number, one after the other. One that was removed in the meantime is omitted.
 * @param script prints the number in a container that has started then
 * @returns undefined for a container that does not print one
 */
export async function numbersInside(
  { cluster, list, probe, timeout }: NumbersInsideParts,
  script: (start: Date) => string,
): Promise<{ ref: string; number: number | undefined }[]> {
  const running = async (): Promise<Pod[]> => (await list()).filter((pod) => stateOf(pod).kind === 'running');
  const numbers = new Map<string, number | undefined>();
  for (const pod of await running()) {
    const start = startOf(pod);
    if (!start) continue;
    const signal = AbortSignal.timeout(timeout);
    const answer = await askInside(cluster, pod.metadata.name, { script: script(start), signal }).catch(() => '');
    const isNumber = /^\d+\n$/.test(answer);
    numbers.set(pod.metadata.name, isNumber ? Number(answer) : undefined);
    // Distinguishes a failing container from a failing API server, so that the latter does not cost one timeout per container.
    if (!isNumber) await probe();
  }
  const left = (await running()).map(({ metadata }) => metadata.name);
  return left.flatMap((ref) => (numbers.has(ref) ? [{ ref, number: numbers.get(ref) }] : []));
}
