import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type Docker from 'dockerode';
import { ImagePullError, type ImageSource, type PullOptions } from '../../ports/container-engine.ts';
import { type ImagePart, registryOf } from '../../values/image-problems.ts';
import { examination, lacksOf, maxImageBytes, problemOfPull, pullPatience } from '../engine/image-examination.ts';
import { runHelper } from './confined-network.ts';
import type { EngineFixtures } from './engine-fixtures.ts';
import { portError, statusOf } from './failures.ts';

type Event = {
  id?: string;
  status?: string;
  error?: string;
  progressDetail?: { current?: number; total?: number };
};

/** The images of a Docker Engine. */
export class DockerImages implements ImageSource {
  readonly #docker: Docker;
  readonly #fixtures: EngineFixtures;

  constructor(docker: Docker, fixtures: EngineFixtures) {
    [this.#docker, this.#fixtures] = [docker, fixtures];
  }

  async pull(reference: string, options: PullOptions) {
    const { imageId, digest } = await this.#fetch(reference, options);
    await options.onFound(imageId);
    return { imageId, digest, lacks: await this.#examine(imageId) };
  }

  async #fetch(reference: string, { credential, signal, onProgress }: PullOptions) {
    const timeout = AbortSignal.timeout(pullPatience);
    const abortSignal = AbortSignal.any([signal, timeout]);
    try {
      const options = {
        authconfig: credential && { ...credential, serveraddress: registryOf(reference) },
        abortSignal,
      };
      await follow((await this.#docker.pull(reference, options)) as Readable, onProgress);
      const { Id, RepoDigests } = await this.#docker.getImage(reference).inspect();
      const repository = `${reference.replace(/(:[^/:]*)?(@.*)?$/, '')}@`;
      const digest = (RepoDigests ?? []).find((one) => one.startsWith(repository))?.slice(repository.length) ?? null;
      return { imageId: Id, digest };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ImagePullError) throw error;
      throw new ImagePullError(
        timeout.aborted ? 'pull_timeout' : problemOfPull(error instanceof Error ? error.message : ''),
      );
    }
  }

  async #examine(imageId: string): Promise<ImagePart[]> {
    try {
      const { command } = await this.#fixtures.image(imageId);
      const image = { id: imageId, graderVolume: await this.#fixtures.graderVolume() };
      const { output } = await runHelper(this.#docker, { script: examination, image, networkMode: 'none' });
      return lacksOf(output, command);
    } catch (error) {
      throw error instanceof ImagePullError ? error : portError(error, imageId);
    }
  }

  async remove(imageId: string, reference: string): Promise<boolean> {
    const [image, named] = [this.#docker.getImage(imageId), this.#docker.getImage(reference)];
    try {
      const isNamed = await named.inspect().then(({ Id }) => Id === imageId, isAbsent);
      if (isNamed) await named.remove();
      const { RepoTags } = await image.inspect();
      if (!RepoTags?.length) await image.remove();
      return true;
    } catch (error) {
      return statusOf(error) === 404;
    }
  }
}

/** For an image that does not exist: it has no name either. @throws any other error */
const isAbsent = (error: unknown): false => {
  if (statusOf(error) !== 404) throw error;
  return false;
};

/** Reads the engine's report of a pull to its end. @throws ImagePullError */
async function follow(stream: Readable, onProgress: (percent: number) => void): Promise<void> {
  const layers = new Map<string, { current: number; total: number }>();
  try {
    for await (const line of createInterface({ input: stream })) {
      if (line.trim() === '') continue;
      const { id = '', status, error, progressDetail } = JSON.parse(line) as Event;
      if (error !== undefined) throw new ImagePullError(problemOfPull(error));
      const { current = 0, total = 0 } = progressDetail ?? {};
      if (status === 'Downloading' && total > 0) layers.set(id, { current, total });
      const layer = layers.get(id);
      if (status === 'Download complete' && layer) layer.current = layer.total;
      const sum = (part: 'current' | 'total') => [...layers.values()].reduce((all, one) => all + one[part], 0);
      if (sum('total') > maxImageBytes) throw new ImagePullError('image_too_large');
      if (layers.size > 0) onProgress(Math.floor((100 * sum('current')) / sum('total')));
    }
  } finally {
    stream.destroy();
  }
}
