import { execFile, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { packageSources } from './package-sources.ts';

const run = promisify(execFile);

export type DebianBaseOptions = {
  /** Packages of the root file system. */
  packages: readonly string[];
  /** Further packages of each image, as package files: the build then needs no network. */
  extras: ReadonlyMap<string, readonly string[]>;
  /** The base image that it stands in for. */
  insteadOf: string;
  /** A dpkg configuration file with the paths to exclude. */
  dpkgOptions: string;
  /** Maximum timestamp of all files, in seconds since 1970. */
  sourceDateEpoch: number;
  snapshot?: string | undefined;
  /** Whether a missing mmdebstrap may be installed. */
  install: boolean;
  progress: (line: string) => void;
};

export type DebianBase = AsyncDisposable & {
  /** What it is, for people: the name and version of the distribution. */
  description: string;
  /** Path of the root file system, a tar archive. */
  rootArchive: string;
  /** Folder with the package files of an image's extra packages. */
  packageFiles: (name: string) => string;
};

/**
 * Creates a root file system with mmdebstrap from the package sources of this machine. Disposing the returned object removes the
 * files.
 * @throws Error if the machine is not Debian or Ubuntu, mmdebstrap is missing, or packages are unavailable
 */
export async function makeDebianBase(options: DebianBaseOptions): Promise<DebianBase> {
  await requireMmdebstrap(options.install, options.progress);
  const { distribution, codename, sources } = await packageSources(options.snapshot);
  const folder = mkdtempSync(join(tmpdir(), 'platform-images-'));
  chmodSync(folder, 0o755); // without root, mmdebstrap works as another user id
  const remove = () => {
    rmSync(folder, { recursive: true, force: true });
    process.off('exit', remove);
  };
  process.once('exit', remove);
  try {
    const rootArchive = join(folder, 'root.tar');
    const packageFiles = (name: string) => join(folder, name, 'archives');
    const hooks = [...options.extras].flatMap(([name, packages]) => downloadHooks(join(folder, name), packages));
    const args = ['--variant=minbase', '--format=tar', `--include=${options.packages.join(',')}`];
    args.push(
      `--dpkgopt=${options.dpkgOptions}`,
      '--dpkgopt=force-unsafe-io',
      ...hooks.map((hook) => `--customize-hook=${hook}`),
    );
    // removes settings of mmdebstrap and of this machine, and keys that packages generated
    args.push(`--customize-hook=cd "$1" && rm -f etc/dpkg/dpkg.cfg.d/99mmdebstrap etc/apt/apt.conf.d/99mmdebstrap`);
    args.push(
      '--customize-hook=cd "$1" && rm -f etc/ssh/ssh_host_* && : > etc/resolv.conf && echo localhost > etc/hostname',
    );
    args.push(`--customize-hook=${nameVariant(options.insteadOf)}`);
    // the index of a snapshot is past its validity date
    if (options.snapshot !== undefined) args.push('--aptopt=Acquire::Check-Valid-Until "false"');
    await debootstrap([...args, codename, rootArchive, '-'], sources, options);
    for (const name of options.extras.keys()) {
      for (const file of readdirSync(packageFiles(name))) {
        if (!file.endsWith('.deb')) rmSync(join(packageFiles(name), file), { recursive: true });
      }
    }
    return { description: distribution, rootArchive, packageFiles, [Symbol.asyncDispose]: async () => remove() };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Adds the variant to /etc/os-release, which becomes a file: what it links to belongs to a package. */
function nameVariant(insteadOf: string): string {
  const line = `VARIANT="Root file system in place of ${insteadOf}"`;
  return `cd "$1/etc" && { cat ../usr/lib/os-release && echo '${line}'; } > os-release.new && mv os-release.new os-release`;
}

function downloadHooks(folder: string, packages: readonly string[]): string[] {
  const cache = '"$1"/var/cache/apt/archives';
  const download = `apt-get --yes --no-install-recommends --download-only install ${packages.join(' ')}`;
  return [
    `rm -f ${cache}/*.deb`,
    `mkdir -p ${cache}/partial && APT_CONFIG="$MMDEBSTRAP_APT_CONFIG" ${packages.length > 0 ? download : 'true'}`,
    `copy-out /var/cache/apt/archives ${folder}`,
  ];
}

/** Reports mmdebstrap's status lines as progress; on failure its last lines become the error. */
function debootstrap(args: readonly string[], sources: string, options: DebianBaseOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('mmdebstrap', args, {
      env: { ...process.env, SOURCE_DATE_EPOCH: String(options.sourceDateEpoch) },
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    const lastLines: string[] = [];
    const lines = createInterface({ input: child.stderr });
    lines.on('line', (line) => {
      lastLines.push(line);
      if (lastLines.length > 20) lastLines.shift();
      const step = /^I: (running apt|downloading|extracting|installing|creating)(.*)/.exec(line);
      if (step) options.progress(`Debian base: ${step[1]}${step[2]}`);
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`mmdebstrap failed (exit code ${code}):\n${lastLines.join('\n')}`));
    });
    child.stdin.on('error', () => {}); // its exit code says more
    child.stdin.end(sources);
  });
}

async function requireMmdebstrap(mayInstall: boolean, progress: (line: string) => void): Promise<void> {
  const isThere = (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, 'mmdebstrap')));
  if (isThere) return;
  const advice = 'apt-get install mmdebstrap (Debian or Ubuntu), or let the engine reach a registry';
  if (!mayInstall || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    throw new Error(`the container images need mmdebstrap, as no registry answers: ${advice}`);
  }
  progress('Installing mmdebstrap');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  try {
    await run('apt-get', ['install', '--yes', '--no-install-recommends', 'mmdebstrap'], { env }).catch(async () => {
      await run('apt-get', ['update'], { env });
      await run('apt-get', ['install', '--yes', '--no-install-recommends', 'mmdebstrap'], { env });
    });
  } catch (error) {
    throw new Error(`mmdebstrap could not be installed: ${error instanceof Error ? error.message : error}`);
  }
}
