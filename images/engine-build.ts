import { randomBytes } from 'node:crypto';
import { createReadStream, readdirSync, rmSync } from 'node:fs';
import type { Readable } from 'node:stream';
import type Docker from 'dockerode';
import { stageContext } from './build-context.ts';
import { definitionHash, folderOf } from './definitions.ts';

type EngineEvent = { stream?: string; status?: string; error?: string };

export type ImageBuild = {
  docker: Docker;
  name: string;
  base: string;
  /** What the base is, for people. The image has it as a label. */
  baseDescription: string;
  /** Folder with the package files of a build without a network. If unset, the build uses the engine's network. */
  packageFiles?: string | undefined;
  snapshot?: string | undefined;
  sourceDateEpoch: number;
  progress: (line: string) => void;
};

/**
 * Builds one image and tags it `:latest` on success.
 * @throws Error with the last lines of the build's output
 */
export async function buildImage(build: ImageBuild): Promise<void> {
  const { docker, name } = build;
  const folder = folderOf(name);
  const context = stageContext(folder, build.packageFiles, build.sourceDateEpoch);
  const temporary = `${name}:building-${randomBytes(6).toString('hex')}`;
  const steps: string[] = [];
  const removeContext = () => rmSync(context, { recursive: true, force: true });
  process.once('exit', removeContext);
  try {
    const entries = readdirSync(context);
    const stream = await docker.buildImage(
      { context, src: entries },
      {
        dockerfile: `${folder}/Dockerfile`,
        t: temporary,
        rm: true,
        forcerm: true,
        networkmode: build.packageFiles === undefined ? 'host' : 'none',
        buildargs: {
          BASE: build.base,
          IMAGE_SNAPSHOT: build.snapshot ?? '',
          SOURCE_DATE_EPOCH: String(build.sourceDateEpoch),
        },
        labels: {
          'platform.image': name,
          'platform.definition': definitionHash(name, context),
          'platform.base': build.baseDescription,
        },
      },
    );
    await follow(docker, stream, `building ${name}`, (line) => {
      const step = /^--+> ([0-9a-f]{11,64})$/.exec(line)?.[1];
      if (step !== undefined) steps.unshift(step);
      if (/^step /i.test(line)) build.progress(`${name}: ${line}`);
    });
    await docker.getImage(temporary).tag({ repo: name, tag: 'latest' });
  } finally {
    await removeQuietly(docker, temporary, { noprune: true });
    await removeUnused(docker, [...steps, ...(await replaced(docker, name))]);
    removeContext();
    process.off('exit', removeContext);
  }
}

/** Removes what builders killed more than an hour ago have left under a name. */
export async function removeStale(docker: Docker): Promise<void> {
  const hourAgo = Date.now() / 1000 - 3600;
  for (const { Created: created, RepoTags: tags } of await docker.listImages()) {
    for (const tag of tags ?? []) {
      if (created < hourAgo && /(^|\/)platform-(base:[0-9a-f]{12}|.*:building-[0-9a-f]{12})$/.test(tag)) {
        await removeQuietly(docker, tag);
      }
    }
  }
}

/**
 * Imports a root file system. `id` is the base for builds: Podman would look up a name in registries. Disposing the returned object
 * removes the image; layers that others use are kept.
 */
export async function importBase(docker: Docker, archive: string): Promise<AsyncDisposable & { id: string }> {
  let id = '';
  const stream = await docker.importImage(createReadStream(archive), {});
  await follow(docker, stream as Readable, 'importing the base', (line) => {
    if (/^(sha256:)?[0-9a-f]{64}$/.test(line)) id = line;
  });
  if (id === '') throw new Error('importing the base failed: the engine did not name it');
  // without a name the first build would remove it
  const [repo, tag] = ['platform-base', randomBytes(6).toString('hex')];
  await docker.getImage(id).tag({ repo, tag });
  return { id, [Symbol.asyncDispose]: () => removeQuietly(docker, `${repo}:${tag}`) };
}

/** Whether the engine has the image or can pull it; a registry that does not respond for `silenceMs` counts as absent. */
export async function isPullable(docker: Docker, name: string, silenceMs: number): Promise<boolean> {
  if (await docker.getImage(name).inspect().catch(ignoreMissing)) return true;
  const abort = new AbortController();
  let timer = setTimeout(() => abort.abort(), silenceMs);
  const stillAlive = () => {
    clearTimeout(timer);
    timer = setTimeout(() => abort.abort(), silenceMs);
  };
  try {
    const stream = await docker.pull(name, { abortSignal: abort.signal });
    await follow(docker, stream, `pulling ${name}`, stillAlive);
    return true;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}

export function ignoreMissing(error: unknown): undefined {
  if ((error as { statusCode?: number }).statusCode === 404) return undefined;
  throw error;
}

/** Ids of the images that lost the name to later builds. */
async function replaced(docker: Docker, name: string): Promise<string[]> {
  const filters = { dangling: ['true'], label: [`platform.image=${name}`] };
  const images = await docker.listImages({ filters }).catch(() => []);
  return images.map(({ Id }) => Id);
}

/** Removes untagged images, left by failed builds or intermediate stages. */
async function removeUnused(docker: Docker, ids: readonly string[]): Promise<void> {
  for (const id of new Set(ids)) {
    const image = await docker.getImage(id).inspect().catch(ignoreMissing);
    // refused, correctly, while another image depends on it or a container uses it
    if (image?.RepoTags?.length === 0) await removeQuietly(docker, id);
  }
}

async function removeQuietly(docker: Docker, image: string, options: { noprune?: boolean } = {}): Promise<void> {
  await docker
    .getImage(image)
    .remove(options)
    .catch(() => {});
}

function follow(
  docker: Docker,
  stream: NodeJS.ReadableStream,
  what: string,
  onLine: (line: string) => void = () => {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    const lastLines: string[] = [];
    const fail = (message: string) => reject(new Error(`${what} failed: ${[...lastLines, message].join('\n')}`));
    let failure: string | undefined;
    docker.modem.followProgress(
      stream,
      (error) => {
        if (error || failure !== undefined) fail(failure ?? String(error?.message ?? error));
        else resolve();
      },
      (event: EngineEvent) => {
        failure ??= event.error;
        const line = (event.stream ?? event.status ?? '').trim();
        onLine(line);
        if (line !== '') lastLines.push(...line.split('\n'));
        lastLines.splice(0, lastLines.length - 20);
      },
    );
  });
}
