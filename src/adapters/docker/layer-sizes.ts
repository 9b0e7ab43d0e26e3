import type Docker from 'dockerode';
import { UnavailableError } from '../../errors.ts';
import { labels } from '../engine/container-facts.ts';
import { filtersOf } from './container-options.ts';

/**
 * Bytes of the layer of each running container of an installation without a storage quota. The engine scans all files for it, so it
 * is not called if there are no such containers.
 * @param timeout milliseconds
 * @throws UnavailableError when the engine does not finish in time
 */
export async function readLayerSizes(
  docker: Docker,
  installation: string,
  timeout: number,
): Promise<{ ref: string; bytes: number }[]> {
  const filters = filtersOf(installation);
  const abortSignal = AbortSignal.timeout(timeout);
  const isUnlimited = ({ Labels }: Docker.ContainerInfo): boolean => Labels[labels.disk] === undefined;
  try {
    const running = await docker.listContainers({ filters, abortSignal });
    if (!running.some(isUnlimited)) return [];
    const measured = await docker.listContainers({ filters, size: true, abortSignal });
    // The engine omits zero values. The types lack sizes.
    const sizeOf = (row: Docker.ContainerInfo & { SizeRw?: number }): number => row.SizeRw ?? 0;
    return measured.filter(isUnlimited).map((row) => ({ ref: row.Id, bytes: sizeOf(row) }));
  } catch (cause) {
    throw new UnavailableError('engine_unavailable', 'The container engine could not report how large containers are', {
      cause,
    });
  }
}
