import type Docker from 'dockerode';
import { UnavailableError } from '../../errors.ts';
import { askContainer } from './ask-container.ts';
import { filtersOf } from './container-options.ts';

/** Containers to query. All see the same storage, but the root of one can forge its answer. */
const sampleSize = 3;
/** For the file system under the container's layer: the maximum number of files and the number still free. */
const script = "/.grader/bin/busybox stat -f -c '%c %d' /";

/**
 * The number of files on the file system of the containers' layers, as reported by some running containers of an installation.
 * Costs the engine a tenth of a second per container, whatever the number of files.
 * @param timeout milliseconds for each
 * @returns `unlimited` if the file system has no limit (btrfs), undefined if no container can report it
 * @throws UnavailableError when the engine does not answer
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
    const filters = { ...filtersOf(installation), status: ['running'] };
    const left = await docker.listContainers({ filters, abortSignal: AbortSignal.timeout(timeout) });
    const known: Awaited<ReturnType<typeof ask>> = [];
    while (known.length < sampleSize && left.length > 0) {
      const refs = takeSome(left, sampleSize - known.length).map(({ Id }) => Id);
      known.push(...(await Promise.all(refs.map((ref) => ask(ref).catch(() => [])))).flat());
    }
    if (known.length === 0) return undefined;
    return known.every(({ total }) => total === 0) ? 'unlimited' : Math.max(...known.map(({ used }) => used));
  } catch (cause) {
    throw new UnavailableError('engine_unavailable', 'The container engine could not report which containers run', {
      cause,
    });
  }
}

/** Picks a random sample, so that nobody can arrange to be in it. */
function takeSome<Item>(items: Item[], count: number): Item[] {
  return Array.from({ length: Math.min(count, items.length) }, () =>
    items.splice(Math.floor(Math.random() * items.length), 1),
  ).flat();
}
