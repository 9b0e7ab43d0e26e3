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
