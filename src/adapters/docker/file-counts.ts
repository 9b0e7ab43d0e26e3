import type Docker from 'dockerode';
import { UnavailableError } from '../../errors.ts';
import { askContainer } from './ask-container.ts';
import { filtersOf } from './container-options.ts';

/** A name can contain line feeds, but no NUL byte. */
const countUpTo = (most: number) =>
  `/.grader/bin/busybox find / -xdev -print0 | /.grader/bin/busybox tr -cd '\\0' | /.grader/bin/busybox head -c ${most} | /.grader/bin/busybox wc -c`;

/**
 * Counts the files and folders of each running container of an installation, including those of its image, up to `most`. Containers
 * are counted one after the other, in a fifth of a second each. The count runs in the container: for a container with millions of
 * files, the engine's list of changes takes minutes and blocks all other requests about it.
 * @param timeout milliseconds for each
 * @returns undefined for a container that cannot be counted: it has no free process, or its root stops the count
 * @throws UnavailableError when the engine does not answer
 */
export async function readFileCounts(
  docker: Docker,
  installation: string,
  { most, timeout }: { most: number; timeout: number },
): Promise<{ ref: string; files: number | undefined }[]> {
  const script = countUpTo(most);
  // A frozen one cannot be asked, and creates no files.
  const running = () => {
    const filters = { ...filtersOf(installation), status: ['running'] };
    return docker.listContainers({ filters, abortSignal: AbortSignal.timeout(timeout) });
  };
  const counts = new Map<string, number | undefined>();
  try {
    for (const { Id: ref } of await running()) {
      const answer = await askContainer(docker, ref, { script, abortSignal: AbortSignal.timeout(timeout) }).catch(
        () => undefined,
      );
      const isCount = answer !== undefined && /^\d+\n$/.test(answer);
      counts.set(ref, isCount ? Number(answer) : undefined);
      // Distinguishes a failing container from a failing engine, so that a failing engine does not cost one timeout per container.
      if (!isCount) await running();
    }
    // A container that was removed in the meantime is omitted.
    return (await running()).flatMap(({ Id: ref }) => (counts.has(ref) ? [{ ref, files: counts.get(ref) }] : []));
  } catch (cause) {
    throw new UnavailableError(
      'engine_unavailable',
      'The container engine could not report how many files containers have',
      {
        cause,
      },
    );
  }
}

/** Containers to query. All see the same storage, but the root of one can forge its answer. */
const sampleSize = 3;
/** For the file system under the container's layer: the maximum number of files and the number still free. */
const countsScript = "/.grader/bin/busybox stat -f -c '%c %d' /";

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
    const answer = await askContainer(docker, ref, {
      script: countsScript,
      abortSignal: AbortSignal.timeout(timeout),
    });
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
