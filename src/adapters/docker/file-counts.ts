import type Docker from 'dockerode';
import { Unavailable } from '../../errors.ts';
import { askContainer } from './ask-container.ts';
import { filtersOf } from './container-options.ts';

/** A name can have lines in it, but no zero byte. */
const countUpTo = (most: number) =>
  `/.grader/bin/busybox find / -xdev -print0 | /.grader/bin/busybox tr -cd '\\0' | /.grader/bin/busybox head -c ${most} | /.grader/bin/busybox wc -c`;

/**
 * How many files and folders each running container of an installation has, its image's included, counted until there are `most`. One container
 * after the other, a fifth of a second for each. They are counted in the container: the engine's own list of what differs from the image has no end for
 * a container with millions of files, and holds up whatever else is asked about it.
 * @param timeout milliseconds for each
 * @returns undefined for one that does not let them be counted: it has no process left for that, or a root who stops it
 * @throws Unavailable when the engine does not answer
 */
export async function readFileCounts(
  docker: Docker,
  installation: string,
  { most, timeout }: { most: number; timeout: number },
): Promise<{ ref: string; files: number | undefined }[]> {
  const script = countUpTo(most);
  const running = () => {
    const filters = filtersOf(installation);
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
      // Was it the container or the engine? Nobody waits for an engine as often as there are containers.
      if (!isCount) await running();
    }
    // One that has gone meanwhile hides nothing.
    return (await running()).flatMap(({ Id: ref }) => (counts.has(ref) ? [{ ref, files: counts.get(ref) }] : []));
  } catch (cause) {
    throw new Unavailable('engine_unavailable', 'The container engine could not say how many files containers have', {
      cause,
    });
  }
}
