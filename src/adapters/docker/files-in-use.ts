import type Docker from 'dockerode';
import { Unavailable } from '../../errors.ts';
import { askContainer } from './ask-container.ts';
import { filtersOf } from './container-options.ts';

/** Containers that answer; all see the same storage, and the root of one can answer what is not so. */
const sampleSize = 3;
/** Of the file system under the container's own layer: how many files it can have, and how many more. */
const script = "/.grader/bin/busybox stat -f -c '%c %d' /";

/**
 * How many files there are on the file system that holds the containers' own layers, as some of the running containers of an installation see
 * it. A tenth of a second of the engine's work for each that is asked, however many files there are.
 * @param timeout milliseconds for each
 * @returns `unlimited` where the file system has no limit of its own (btrfs), undefined where no container can tell
 * @throws Unavailable when the engine does not answer
 */
export async function readFilesInUse(
  docker: Docker,
  installation: string,
  timeout: number,
): Promise<number | 'unlimited' | undefined> {
  const ask = async (ref: string) => {
    const answer = await askContainer(docker, ref, { script, abortSignal: AbortSignal.timeout(timeout) });
    const [, total, free] = /^(\d+) (\d+)\n$/.exec(answer) ?? [];
    return total === undefined ? [] : [{ total: Number(total), used: Number(total) - Number(free) }];
  };
  try {
    const filters = filtersOf(installation);
    const left = await docker.listContainers({ filters, abortSignal: AbortSignal.timeout(timeout) });
    const known: Awaited<ReturnType<typeof ask>> = [];
    while (known.length < sampleSize && left.length > 0) {
      const refs = takeSome(left, sampleSize - known.length).map(({ Id }) => Id);
      known.push(...(await Promise.all(refs.map((ref) => ask(ref).catch(() => [])))).flat());
    }
    if (known.length === 0) return undefined;
    return known.every(({ total }) => total === 0) ? 'unlimited' : Math.max(...known.map(({ used }) => used));
  } catch (cause) {
    throw new Unavailable('engine_unavailable', 'The container engine could not say which containers run', { cause });
  }
}

/** Takes some of them out, by chance: nobody can see to it that theirs is among them. */
function takeSome<Item>(items: Item[], count: number): Item[] {
  return Array.from({ length: Math.min(count, items.length) }, () =>
    items.splice(Math.floor(Math.random() * items.length), 1),
  ).flat();
}
