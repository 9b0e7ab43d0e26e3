import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type Docker from 'dockerode';
import { ImagePullError, type ImageSource, type PullOptions } from '../../ports/container-engine.ts';
import { type ImagePart, type ImageProblem, imageParts, registryOf } from '../../values/image-problems.ts';
import { runHelper } from './confined-network.ts';
import type { EngineFixtures } from './engine-fixtures.ts';
import { portError, statusOf } from './failures.ts';

/** Bytes of the compressed layers of an image. A larger one could fill the disk of all containers. */
const maxBytes = 10 * 1024 ** 3;
/** Milliseconds that a pull may take. */
const patience = 1_800_000;

/**
 * Names what is missing, a word a line. The programs are run, since one for another processor or without its libraries is there as well.
 * Everything else is a program of the grader's volume.
 */
const examination = `
export PATH=/.grader/bin
shopt -s extglob
/bin/bash -c : >/dev/null 2>&1 </dev/null || echo bash
/usr/sbin/sshd -V >/dev/null 2>&1 </dev/null; (( $? < 126 )) || echo sshd
account() {
  local name uid home shell
  [[ -f /etc/passwd ]] || return 1
  while IFS=: read -r name _ uid _ _ home shell; do
    [[ $name == "$1" && $uid == "$2" && $shell == $3 ]] && [[ -d $home ]] && return 0
  done </etc/passwd
  return 1
}
account student 1000 '/*' || echo student
account grader 0 /.grader/bin/bash || echo grader`;

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

  async pull(reference: string, { credential, signal, onProgress }: PullOptions) {
    const timeout = AbortSignal.timeout(patience);
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
      throw new ImagePullError(timeout.aborted ? 'pull_timeout' : problemOf(error));
    }
  }

  async examine(imageId: string): Promise<ImagePart[]> {
    try {
      const { command } = await this.#fixtures.image(imageId);
      const image = { id: imageId, graderVolume: await this.#fixtures.graderVolume() };
      const { output } = await runHelper(this.#docker, { script: examination, image, networkMode: 'none' });
      const lines = new Set([...output.split('\n'), ...(command.length === 0 ? ['command'] : [])]);
      return imageParts.filter((part) => lines.has(part));
    } catch (error) {
      throw portError(error, imageId);
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
      if (error !== undefined) throw new ImagePullError(problemOf(new Error(error)));
      const { current = 0, total = 0 } = progressDetail ?? {};
      if (status === 'Downloading' && total > 0) layers.set(id, { current, total });
      const layer = layers.get(id);
      if (status === 'Download complete' && layer) layer.current = layer.total;
      const sum = (part: 'current' | 'total') => [...layers.values()].reduce((all, one) => all + one[part], 0);
      if (sum('total') > maxBytes) throw new ImagePullError('image_too_large');
      if (layers.size > 0) onProgress(Math.floor((100 * sum('current')) / sum('total')));
    }
  } finally {
    stream.destroy();
  }
}

/** The engine tells the reason in words only. */
function problemOf(error: unknown): ImageProblem {
  const text = error instanceof Error ? error.message : '';
  if (/unauthorized|authentication required|access denied|denied|no basic auth|forbidden/i.test(text))
    return 'registry_denied';
  if (/manifest unknown|not found|name unknown|invalid reference/i.test(text)) return 'reference_unknown';
  if (
    /dial tcp|no such host|i\/o timeout|connection (refused|reset)|EOF|TLS|x509|request canceled|certificate/i.test(
      text,
    )
  )
    return 'registry_unreachable';
  return 'pull_failed';
}
