import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Components of the distribution that the images' packages come from. `universe` is Ubuntu's. */
const components = ['main', 'universe'];

type Source = { uri: string; suite: string; component: string; keyring: string };

export type PackageSources = {
  /** The name and version of the distribution, for people. */
  distribution: string;
  codename: string;
  /** In sources.list format. */
  sources: string;
};

/**
 * The package sources of the distribution as configured in apt on this machine.
 * @param snapshot a time (20260101T000000Z): the sources at that time
 * @throws Error if this machine has no apt or no source of its distribution, or no snapshot service is known
 */
export async function packageSources(snapshot?: string): Promise<PackageSources> {
  const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
  const codename = /^VERSION_CODENAME="?([a-z]+)"?$/m.exec(release)?.[1];
  if (codename === undefined || !existsSync('/usr/bin/apt-get')) {
    throw new Error('without a registry, the container images can be built on Debian and Ubuntu only');
  }
  const suites = [codename, `${codename}-updates`, `${codename}-security`];
  const found = (await aptSources()).filter((source) => suites.includes(source.suite));
  if (!found.some((source) => source.suite === codename)) {
    throw new Error(`apt on this machine has no source for ${codename}, which the container images are built from`);
  }
  const lines = found.map(({ uri, suite, component, keyring }) => {
    const from = snapshot === undefined ? uri : snapshotOf(uri, snapshot);
    const options = keyring.startsWith('/') ? `[signed-by=${keyring}] ` : '';
    return `deb ${options}${from} ${suite} ${component}\n`;
  });
  const distribution = /^PRETTY_NAME="?([^"\n]+)"?$/m.exec(release)?.[1] ?? codename;
  return { distribution, codename, sources: lines.join('') };
}

async function aptSources(): Promise<Source[]> {
  const format = ['$(REPO_URI)', '$(RELEASE)', '$(COMPONENT)', '$(SIGNED_BY)', '$(ORIGIN)'].join('\t');
  const { stdout } = await run('apt-get', ['indextargets', '--format', format, 'Created-By: Packages']);
  const sources = new Map<string, Source>();
  for (const line of stdout.split('\n')) {
    const [uri = '', suite = '', component = '', keyring = '', origin = ''] = line.split('\t');
    // apt knows the origin after fetching the index; other vendors also use the distribution's suite names
    const isDistribution = origin.startsWith('$') || origin === 'Debian' || origin === 'Ubuntu';
    if (!isDistribution || !components.includes(component) || uri === '') continue;
    if (/^[a-z+]+:\/\/[^/]*@/.test(uri)) {
      throw new Error('a package source holds a password; it would stay in the container images');
    }
    sources.set(`${uri} ${suite} ${component}`, { uri, suite, component, keyring });
  }
  return [...sources.values()];
}

/**
 * The address of a source at a given time. The snapshot service comes from IMAGE_SNAPSHOT_URL (with `@ARCHIVE@`, the last part of
 * the source's path, and `@SNAPSHOTID@`), from the field `Snapshots` of the index, or from the comment in the sources of Debian's
 * container images.
 */
function snapshotOf(uri: string, snapshot: string): string {
  const archive = uri.replace(/\/+$/, '').split('/').at(-1) ?? '';
  const template = process.env.IMAGE_SNAPSHOT_URL ?? templateFromIndex(uri) ?? templateFromComment(archive);
  if (template === undefined) {
    throw new Error(`IMAGE_SNAPSHOT is set, but no snapshot service is known for ${archive}; set IMAGE_SNAPSHOT_URL`);
  }
  return template.replaceAll('@ARCHIVE@', archive).replaceAll('@SNAPSHOTID@', snapshot);
}

function templateFromIndex(uri: string): string | undefined {
  const lists = '/var/lib/apt/lists';
  const prefix = uri.replace(/^[a-z]+:\/+/, '').replaceAll('/', '_');
  const index = readable(lists).find((name) => name.startsWith(prefix) && /_(In)?Release$/.test(name));
  if (index === undefined) return undefined;
  const template = /^Snapshots: (\S+)$/m.exec(readFileSync(join(lists, index), 'utf8'))?.[1];
  return template === 'no' ? undefined : template;
}

function templateFromComment(archive: string): string | undefined {
  const folder = '/etc/apt/sources.list.d';
  const files = ['/etc/apt/sources.list', ...readable(folder).map((name) => join(folder, name))].filter(existsSync);
  for (const line of files.flatMap((file) => readFileSync(file, 'utf8').split('\n'))) {
    const address = /^#\s*(?:deb\s+)?(https?:\/\/\S+\/)\d{8}T\d{6}Z\/?(?:\s|$)/.exec(line)?.[1];
    if (address?.endsWith(`/${archive}/`)) return `${address}@SNAPSHOTID@`;
  }
  return undefined;
}

function readable(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}
