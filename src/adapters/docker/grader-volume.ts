import type Docker from 'dockerode';
import { labels } from './container-options.ts';

export const graderImage = 'platform-grader';

/**
 * The volume with the grader's tools, filled from its image: one a version of the image, shared by all containers, mounted
 * read-only by them.
 * @returns the volume's name
 */
export async function ensureGraderVolume(docker: Docker): Promise<string> {
  const image = await docker.getImage(graderImage).inspect();
  const name = `platform-grader-${image.Id.replace(/^sha256:/, '').slice(0, 12)}`;
  const { Volumes } = await docker.listVolumes({ filters: { name: [name] } });
  if (Volumes?.some((volume) => volume.Name === name)) return name;

  // The engine copies an image's files into an empty volume that a container mounts; a second copy at the same time writes the
  // same bytes.
  await docker.createVolume({ Name: name, Labels: { [labels.uid]: 'grader' } });
  const filler = await docker.createContainer({
    Image: image.Id,
    Labels: { [labels.uid]: 'grader' },
    HostConfig: { NetworkMode: 'none', Binds: [`${name}:/.grader`] },
  });
  try {
    // Podman copies at the start. What runs is `busybox true`.
    await filler.start();
    await filler.wait();
    return name;
  } finally {
    await filler.remove({ force: true });
  }
}
