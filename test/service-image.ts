import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeDebianBase } from '../images/debian-base.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');
const certificates = '/etc/ssl/certs/ca-certificates.crt';

export const docker = async (...args: string[]): Promise<string> =>
  (await run('docker', args, { cwd: root, maxBuffer: 2 ** 26 })).stdout.trim();

/**
 * Builds the service's image as an operator would, without a registry of images: `NAME`, and `NAME-base`, which stands for its base
 * image. Disposing removes them.
 * @param packages Debian packages that the base image has besides
 */
export async function buildServiceImage(name: string, packages: readonly string[] = []): Promise<AsyncDisposable> {
  await using cleanup = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'platform-image-'));
  cleanup.defer(() => rm(folder, { recursive: true, force: true }));
  for (const image of [`${name}-base`, `${name}-build`, name])
    cleanup.defer(async () => void (await docker('rmi', image).catch(() => undefined)));
  await buildBase(folder, `${name}-base`, packages);
  const build = ['build', '--network=host', `--build-arg=BASE=${name}-base`];
  // The first stage by a name, so that it does not stay behind.
  await docker(...build, '--target=build', '--tag', `${name}-build`, '.');
  await docker(...build, '--tag', name, '.');
  return cleanup.move();
}

/** What stands for the base image where there need be no registry: Debian from this machine's sources, with this Node and npm. */
async function buildBase(folder: string, tag: string, packages: readonly string[]): Promise<void> {
  await using base = await makeDebianBase({
    packages: ['ca-certificates', ...packages],
    insteadOf: 'the image of Node',
    extras: new Map(),
    dpkgOptions: '/dev/null',
    sourceDateEpoch: 1_767_225_600,
    install: true,
    progress: () => {},
  });
  await cp(base.rootArchive, join(folder, 'root.tar'));
  await cp(process.execPath, join(folder, 'node'));
  const { stdout } = await run('npm', ['root', '--global']);
  await cp(join(stdout.trim(), 'npm'), join(folder, 'npm'), { recursive: true, dereference: true });
  await cp(certificates, join(folder, 'certificates'));
  const lines = [
    'FROM scratch',
    'ADD root.tar /',
    'COPY node /usr/local/bin/node',
    'COPY npm /usr/local/lib/node_modules/npm',
    `COPY certificates ${certificates}`,
    `ENV NODE_EXTRA_CA_CERTS=${certificates}`,
    'RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && useradd --uid 1000 --create-home node',
  ];
  await writeFile(join(folder, 'Dockerfile'), lines.join('\n'));
  await docker('build', '--quiet', '--tag', tag, folder);
}

/** Starts PostgreSQL with the variables of the image `postgres`, as root or not. */
export const startPostgres = `#!/bin/sh
set -eu
data=/var/lib/postgresql/data
as=
[ "$(id -u)" != 0 ] || as="setpriv --reuid=postgres --regid=postgres --init-groups"
if [ ! -s $data/PG_VERSION ]; then
  mkdir -p $data
  [ -z "$as" ] || chown postgres:postgres $data
  printf %s "$POSTGRES_PASSWORD" > /tmp/password && chmod 644 /tmp/password
  $as initdb --pgdata=$data --username="$POSTGRES_USER" --pwfile=/tmp/password --auth=scram-sha-256 --locale=C.UTF-8 --encoding=UTF8
  echo 'host all all all scram-sha-256' >> $data/pg_hba.conf
  echo "create database $POSTGRES_DB" | $as postgres --single -D $data postgres
fi
mkdir -p /var/run/postgresql
[ -z "$as" ] || chown postgres:postgres /var/run/postgresql
exec $as postgres -D $data -c listen_addresses='*' -c unix_socket_directories=/var/run/postgresql
`;
