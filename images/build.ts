import { join } from 'node:path';
import { parseArgs } from 'node:util';
import Docker from 'dockerode';
import { makeDebianBase } from './debian-base.ts';
import { definitionHash, folderOf, imageNames, imagesFolder, packagesOf, sharedFolder } from './definitions.ts';
import { buildImage, importBase, isPullable, removeStale } from './engine-build.ts';
import { waitForTurn } from './turn.ts';

export { imageNames } from './definitions.ts';

export type BuildOptions = {
  docker: Docker;
  progress: (line: string) => void;
  /** Rebuild existing images. */
  force?: boolean | undefined;
  /** All images by default. */
  names?: readonly string[] | undefined;
  /** Base image, in place of Ubuntu's or the Debian root file system. */
  base?: string | undefined;
  /** Whether programs missing on this machine may be installed. */
  install?: boolean | undefined;
};

const registryBase = 'ubuntu:22.04';
const registrySilenceMs = 15_000;
/** 2026-01-01: the timestamp limit of all files in an image, unless SOURCE_DATE_EPOCH or IMAGE_SNAPSHOT is set. */
const defaultEpoch = 1_767_225_600;

/** Names of the images that are missing on the engine or outdated. Podman prefixes names with a registry. */
export async function missingImages(docker: Docker, names: readonly string[] = imageNames): Promise<string[]> {
  const images = await shippedImages(docker, names);
  return names.filter((name, index) => images[index]?.Labels?.['platform.definition'] !== definitionHash(name));
}

/** The images with these names, in this order. Undefined: not on the engine. */
async function shippedImages(docker: Docker, names: readonly string[]): Promise<(Docker.ImageInfo | undefined)[]> {
  const images = await docker.listImages({ filters: { label: ['platform.definition'] } });
  return names.map((name) =>
    images.find(({ RepoTags }) => RepoTags?.some((tag) => tag.split('/').at(-1) === `${name}:latest`)),
  );
}

/** What the images stand on, each description once, as their builds recorded it. */
export async function basesOf(docker: Docker, names: readonly string[] = imageNames): Promise<string[]> {
  const bases = (await shippedImages(docker, names)).map((image) => image?.Labels?.['platform.base']);
  return [...new Set(bases)].filter((base) => base !== undefined);
}

/**
 * Builds the images that are missing or outdated. Several processes may call it at once: on one machine they take turns, and each
 * uses the images that the others built.
 * @throws Error with the remedy, or with the last lines of the build's output
 */
export async function ensureImages(options: BuildOptions): Promise<{ built: string[]; present: string[] }> {
  const names = options.names ?? imageNames;
  const unknown = names.filter((name) => !imageNames.includes(name));
  if (unknown.length > 0) throw new Error(`no such image: ${unknown.join(', ')} (there are ${imageNames.join(', ')})`);
  if (!options.force && (await missingImages(options.docker, names)).length === 0)
    return { built: [], present: [...names] };
  await using _turn = await waitForTurn('learning-platform-images', () =>
    options.progress('Another process is building the images; waiting for it'),
  );
  const built = options.force ? [...names] : await missingImages(options.docker, names);
  if (built.length > 0) await buildAll(built, options);
  return { built, present: names.filter((name) => !built.includes(name)) };
}

async function buildAll(names: readonly string[], options: BuildOptions): Promise<void> {
  const { docker, progress } = options;
  const snapshot = process.env.IMAGE_SNAPSHOT || undefined;
  const sourceDateEpoch = epochOf(snapshot);
  const common = { docker, snapshot, sourceDateEpoch, progress };
  await removeStale(docker);
  const base = options.base ?? (await registryBaseOf(docker, progress));
  if (base !== undefined) {
    for (const name of names) await buildImage({ ...common, name, base, baseDescription: base });
    return;
  }
  await using root = await makeDebianBase({
    packages: packagesOf(sharedFolder),
    insteadOf: registryBase,
    extras: new Map(names.map((name) => [name, packagesOf(folderOf(name))])),
    dpkgOptions: join(imagesFolder, sharedFolder, 'dpkg-excludes'),
    sourceDateEpoch,
    snapshot,
    install: options.install ?? false,
    progress,
  });
  progress('Debian base: handing it to the engine');
  await using imported = await importBase(docker, root.rootArchive);
  const baseDescription = `${root.description} in place of ${registryBase}`;
  for (const name of names) {
    await buildImage({ ...common, name, base: imported.id, baseDescription, packageFiles: root.packageFiles(name) });
  }
}

async function registryBaseOf(docker: Docker, progress: (line: string) => void): Promise<string | undefined> {
  progress(`Looking for the base image ${registryBase}`);
  if (await isPullable(docker, registryBase, registrySilenceMs)) return registryBase;
  progress('No registry answers; building on a Debian root file system (about a minute)');
  return undefined;
}

function epochOf(snapshot: string | undefined): number {
  const given = process.env.SOURCE_DATE_EPOCH;
  if (given !== undefined && /^\d+$/.test(given)) return Number(given);
  if (snapshot === undefined) return defaultEpoch;
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(snapshot);
  const time = parts
    ? Date.parse(snapshot.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'))
    : Number.NaN;
  if (Number.isNaN(time)) throw new Error(`IMAGE_SNAPSHOT is a time like 20260101T000000Z, not ${snapshot}`);
  return time / 1000;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { force: { type: 'boolean' }, base: { type: 'string' }, 'no-install': { type: 'boolean' } },
  });
  const started = Date.now();
  const progress = (line: string) =>
    console.log(`${((Date.now() - started) / 1000).toFixed(1).padStart(6)} s  ${line}`);
  const docker = new Docker();
  const { built, present } = await ensureImages({
    docker,
    progress,
    force: values.force,
    base: values.base,
    install: values['no-install'] !== true,
    ...(positionals.length > 0 ? { names: positionals } : {}),
  });
  progress(`built: ${built.join(', ') || 'none'}; there already: ${present.join(', ') || 'none'}`);
  progress(`on: ${(await basesOf(docker)).join(', ') || 'an unknown base'}`);
}

if (import.meta.main) {
  // exit, because a signal would end the process without removing its temporary files
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
  await main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
}
