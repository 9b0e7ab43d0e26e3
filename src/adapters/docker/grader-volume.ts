import type Docker from 'dockerode';
import { labels } from '../engine/container-facts.ts';

export const graderImage = 'platform-grader';

/** Seconds after which a filler container that does not run counts as left over by a failed process. */
const leftAfter = 60;
/** Each file is replaced by a new one, so that programs that run the old one are not affected. */
const fill = 'set -o pipefail; b=/.grader/bin/busybox; cd /.grader && $b tar -cf - . | $b tar -xpf - -C /volume';

/**
 * The volume with the grader's tools, filled from its image. There is one per version of the image; all containers mount it
 * read-only. A second, empty volume marks the first as complete, because the filling process may die or lose the engine half-way.
 * @returns the volume's name
 */
export async function ensureGraderVolume(docker: Docker, imageName = graderImage): Promise<string> {
  const image = await docker.getImage(imageName).inspect();
  const name = `platform-grader-${image.Id.replace(/^sha256:/, '').slice(0, 12)}`;
  const whole = `${name}-whole`;
  const { Volumes } = await docker.listVolumes({ filters: { name: [name] } });
  const there = new Set(Volumes?.map((volume) => volume.Name));
  if (there.has(name) && there.has(whole)) return name;

  await removeLeft(docker);
  await docker.createVolume({ Name: name, Labels: { [labels.uid]: 'grader' } });
  const filler = await docker.createContainer({
    Image: image.Id,
    Cmd: ['/.grader/bin/busybox', 'sh', '-c', fill],
    Labels: { [labels.uid]: 'grader' },
    HostConfig: { NetworkMode: 'none', Binds: [`${name}:/volume`] },
  });
  try {
    await filler.start();
    const { StatusCode: code } = (await filler.wait()) as { StatusCode: number };
    if (code !== 0) throw new Error(`The volume with the grader's tools could not be filled (${code})`);
    await docker.createVolume({ Name: whole, Labels: { [labels.uid]: 'grader' } });
    return name;
  } finally {
    await filler.remove({ force: true }).catch(() => undefined);
  }
}

async function removeLeft(docker: Docker): Promise<void> {
  const filters = { label: [`${labels.uid}=grader`], status: ['created', 'exited', 'dead'] };
  const left = (await docker.listContainers({ all: true, filters })).filter(
    ({ Created }) => Date.now() / 1000 - Created > leftAfter,
  );
  await Promise.allSettled(left.map(({ Id }) => docker.getContainer(Id).remove({ force: true })));
}
