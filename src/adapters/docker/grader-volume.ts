import { setTimeout } from 'node:timers/promises';
import type Docker from 'dockerode';
import { labels } from '../engine/container-facts.ts';
import { statusOf } from './failures.ts';

export const graderImage = 'platform-grader';

/** Seconds after which a filler container that does not run counts as left over by a failed process. */
const leftAfter = 60;
/** Each file is replaced by a new one, so that programs that run the old one are not affected. */
const fill = 'set -o pipefail; b=/.grader/bin/busybox; cd /.grader && $b tar -cf - . | $b tar -xpf - -C /volume';

/**
 * The volume with the grader's tools, filled from its image. There is one per version of the image; all containers mount it
 * read-only. A second, empty volume marks the first as complete, because the filling process may die or lose the engine half-way.
 * Several services may want it at the same time: the container that fills it bears the volume's name, so there is only one.
 * @returns the volume's name
 */
export async function ensureGraderVolume(docker: Docker, imageName = graderImage): Promise<string> {
  const image = await docker.getImage(imageName).inspect();
  const name = `platform-grader-${image.Id.replace(/^sha256:/, '').slice(0, 12)}`;
  const whole = `${name}-whole`;
  while (!(await areThere(docker, [name, whole]))) {
    await removeLeft(docker);
    const filler = await createFiller(docker, image.Id, name);
    if (filler === undefined) {
      await setTimeout(100);
      continue;
    }
    try {
      await filler.start();
      const { StatusCode: code } = (await filler.wait()) as { StatusCode: number };
      if (code !== 0) throw new Error(`The volume with the grader's tools could not be filled (${code})`);
      await docker.createVolume({ Name: whole, Labels: { [labels.uid]: 'grader' } });
    } finally {
      await filler.remove({ force: true }).catch(() => undefined);
    }
  }
  return name;
}

async function areThere(docker: Docker, names: string[]): Promise<boolean> {
  const { Volumes } = await docker.listVolumes({ filters: { name: names } });
  const there = new Set(Volumes?.map((volume) => volume.Name));
  return names.every((name) => there.has(name));
}

/** Undefined while another one fills the volume. */
async function createFiller(docker: Docker, image: string, volume: string): Promise<Docker.Container | undefined> {
  await docker.createVolume({ Name: volume, Labels: { [labels.uid]: 'grader' } });
  try {
    return await docker.createContainer({
      name: volume,
      Image: image,
      Cmd: ['/.grader/bin/busybox', 'sh', '-c', fill],
      Labels: { [labels.uid]: 'grader' },
      HostConfig: { NetworkMode: 'none', Binds: [`${volume}:/volume`] },
    });
  } catch (error) {
    if (statusOf(error) === 409) return undefined;
    throw error;
  }
}

async function removeLeft(docker: Docker): Promise<void> {
  const filters = { label: [`${labels.uid}=grader`], status: ['created', 'exited', 'dead'] };
  const left = (await docker.listContainers({ all: true, filters })).filter(
    ({ Created }) => Date.now() / 1000 - Created > leftAfter,
  );
  await Promise.allSettled(left.map(({ Id }) => docker.getContainer(Id).remove({ force: true })));
}
