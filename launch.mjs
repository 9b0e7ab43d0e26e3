// `node launch.mjs [--tools] SCRIPT [ARGUMENTS]`: installs missing locked dependencies, then runs a script of the project with
// their Node. `--tools` requires the development dependencies. It runs on any Node from version 20 with nothing installed, so it is plain
// JavaScript and imports only built-in modules.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(fileURLToPath(import.meta.url));
const lockPath = join(root, 'package-lock.json');
const stampPath = join(root, 'node_modules', '.lock-stamp');
/** Code without its types, and compiled: a third of the time of a start. If it is not writable, Node runs without it. */
const compileCache = join(root, 'node_modules', '.cache', 'node');
/** Two arenas of the C library instead of one for each thread: the memory that each has freed stays with it. */
const environment = { NODE_COMPILE_CACHE: compileCache, MALLOC_ARENA_MAX: '2' };
/**
 * The service returns the memory of its start with the first. The second saves a tenth of the loading: npm installs packages as folders,
 * and Node would search each path of 1,500 modules for symbolic links.
 */
const nodeOptions = ['--expose-gc', '--preserve-symlinks'];
const nodeMajor = 24;
/** The exit code of `flock` if another process holds the lock. */
const lockedExitCode = 75;

const say = (step, text) => process.stderr.write(`${step.padEnd(13)} ${text}\n`);

/**
 * Whether node_modules matches package-lock.json. After an install by this launcher its stamp is compared. After a manual `npm ci`
 * or `npm install` npm's own record is compared.
 */
function isInstalled(withDeveloperTools) {
  const lock = readFileSync(lockPath);
  const stamp = `${createHash('sha256').update(lock).digest('hex')} ${process.platform}-${process.arch}\n`;
  if (readIfThere(stampPath) === stamp) return true;
  const record = readIfThere(join(root, 'node_modules', '.package-lock.json'));
  if (record === undefined) return false;
  const installed = JSON.parse(record).packages;
  const wanted = Object.entries(JSON.parse(lock.toString()).packages).filter(([path]) => path !== '');
  const isSame = ([path, entry]) => installed[path]?.integrity === entry.integrity;
  // After `npm install --package-lock-only` the record names packages that are not installed.
  const isAbsent = ([path]) => installed[path] === undefined || !existsSync(join(root, path, 'package.json'));
  const isOptional = ([, entry]) => entry.optional || entry.devOptional;
  const isDeveloperTool = ([, entry]) => entry.dev || entry.devOptional;
  const runtime = wanted.filter((item) => !isDeveloperTool(item));
  const tools = wanted.filter(isDeveloperTool);
  const allThere = (items) => items.every((item) => (isAbsent(item) ? isOptional(item) : isSame(item)));
  if (!allThere(runtime)) return false;
  if (absentParts(runtime).length > 0) return false;
  if (!allThere(tools) || absentParts(tools).length > 0) return !withDeveloperTools;
  markInstalled(stamp);
  return true;
}

const lockedPackages = () =>
  Object.entries(JSON.parse(readFileSync(lockPath, 'utf8')).packages).filter(([path]) => path !== '');
const nameOf = (path) => path.replace(/^.*node_modules\//, '');

/** npm installs an entry without a checksum unchecked, and SHA-1 proves nothing. */
const unchecked = () =>
  lockedPackages()
    .filter(([, { integrity, link }]) => !link && !integrity?.startsWith('sha512-'))
    .map(([path, { version }]) => `${nameOf(path)}@${version}`);

/**
 * Parts for this platform that are optional dependencies of installed packages and are not installed. npm does not report them, and
 * the package would fail on loading.
 */
function absentParts(entries) {
  const isHere = (name) => existsSync(join(root, 'node_modules', name, 'package.json'));
  const locked = new Set(lockedPackages().map(([path]) => nameOf(path)));
  const reason = (name) =>
    locked.has(name) ? 'the registry does not have it' : 'package-lock.json has no checksum of it';
  return entries.flatMap(([path]) => {
    const manifest = readIfThere(join(root, path, 'package.json'));
    const parts = Object.entries(JSON.parse(manifest ?? '{}').optionalDependencies ?? {});
    return parts
      .filter(
        ([name]) => isForThisPlatform(name) && !isHere(name) && !existsSync(join(root, path, 'node_modules', name)),
      )
      .map(([name, version]) => `${name}@${version}, a part of ${nameOf(path)}: ${reason(name)}`);
  });
}

/** Matches the usual names: `NAME-linux-x64`, `NAME-linux-x64-gnu`, `NAME-linux-x64-musl`, `NAME-win32-x64-msvc`. */
function isForThisPlatform(name) {
  const match = name.match(new RegExp(`[-/]${process.platform}-${process.arch}(?:-(gnu|musl|msvc))?$`));
  if (!match || process.platform !== 'linux') return match !== null;
  return (match[1] === 'musl') === isMusl();
}

function isMusl() {
  process.report.excludeNetwork = true;
  return process.report.getReport().header.glibcVersionRuntime === undefined;
}

function markInstalled(stamp) {
  try {
    writeFileSync(stampPath, stamp);
  } catch {
    // A read-only installation: the comparison runs at each start and takes a few milliseconds.
  }
}

function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** Installs under a kernel lock on package-lock.json. The lock is released with its process, however that ends. */
async function installOnce() {
  const again = [process.execPath, fileURLToPath(import.meta.url), '--install'];
  const flock =
    process.platform === 'linux'
      ? await run('flock', ['-F', '-n', '-E', `${lockedExitCode}`, lockPath, ...again])
      : undefined;
  if (flock?.error || !flock) return await install();
  if (flock.code !== lockedExitCode) return flock.code === 0;
  say('dependencies', 'waiting for another start that installs them');
  return (await run('flock', ['-F', lockPath, ...again])).code === 0;
}

async function install() {
  if (isInstalled(true)) return true;
  const unknown = unchecked();
  if (unknown.length > 0) {
    say('dependencies', `package-lock.json has no SHA-512 checksum of ${unknown.join(', ')}`);
    say('', 'Packages without a checksum are not installed. Nothing was installed.');
    return false;
  }
  const begin = Date.now();
  const seconds = () => Math.round((Date.now() - begin) / 1000);
  say('dependencies', 'installing what package-lock.json lists (npm ci)');
  const timer = setInterval(() => say('dependencies', `still installing, ${seconds()} s`), 15_000);
  const npmScript = process.env.npm_execpath ?? '';
  const [npm, first] = npmScript.endsWith('.js') ? [process.execPath, [npmScript]] : ['npm', []];
  const result = await run(
    npm,
    [...first, 'ci', '--include=dev', '--include=optional', '--no-progress', '--loglevel=error'],
    'install',
  );
  clearInterval(timer);
  if (result.code !== 0) {
    say('dependencies', `npm ci did not succeed${result.error ? `: ${result.error.message}` : ''}`);
    return false;
  }
  const absent = absentParts(lockedPackages());
  if (absent.length > 0) {
    say('dependencies', `NOT COMPLETE for ${process.platform}-${process.arch}:`);
    for (const part of absent) say('', part);
    say('', 'Packages without a checksum are not installed. See "Dependencies" in docs/contributing.md.');
    return false;
  }
  if (!isInstalled(true)) {
    say('dependencies', 'npm ci left node_modules different from package-lock.json');
    return false;
  }
  say('dependencies', `installed in ${seconds()} s`);
  return true;
}

/** The Node of the dependencies. If they have none for this platform, the running one, if it is new enough. */
function findNode() {
  const packaged = join(root, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');
  if (existsSync(packaged)) return packaged;
  if (Number.parseInt(process.versions.node, 10) >= nodeMajor) return process.execPath;
  throw new Error(
    `The service needs Node ${nodeMajor} or newer. npm has none for ${process.platform}-${process.arch}, and this is Node ${process.versions.node}: ` +
      'install a newer Node from https://nodejs.org and run the command again.',
  );
}

/** Runs a program in the project's folder, forwards signals to it and waits for its exit. */
function run(program, args, kind = 'command') {
  return new Promise((resolve) => {
    const stdio = kind === 'install' ? ['ignore', 'ignore', 'inherit'] : 'inherit';
    const child = spawn(program, args, { cwd: root, stdio, env: { ...environment, ...process.env } });
    const forward = (signal) => child.kill(signal);
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    for (const signal of signals) process.on(signal, forward);
    const end = (result) => {
      for (const signal of signals) process.off(signal, forward);
      resolve(result);
    };
    child.on('error', (error) => end({ code: 1, error }));
    child.on('exit', (code, signal) => end({ code, signal }));
  });
}

async function main(args) {
  const withTools = args[0] === '--tools';
  const [script = '', ...rest] = withTools ? args.slice(1) : args;
  if (script === '--install') {
    process.exitCode = (await install()) ? 0 : 1;
    return;
  }
  if (!/\.(ts|mjs)$/.test(script) || !existsSync(join(root, script))) {
    process.stderr.write(`There is no script "${script}". Usage: node launch.mjs [--tools] SCRIPT [ARGUMENTS]\n`);
    process.stderr.write('The scripts and their arguments are in package.json: npm run lists them.\n');
    process.exitCode = 2;
    return;
  }
  if (!isInstalled(withTools) && !(await installOnce())) {
    process.exitCode = 1;
    return;
  }
  const { code, signal, error } = await run(findNode(), [...nodeOptions, script, ...rest]);
  if (error) throw error;
  if (signal) {
    // Ends in the same way as the command, so that the caller sees the same status.
    process.kill(process.pid, signal);
    setTimeout(() => process.exit(1), 1000);
  } else {
    process.exitCode = code;
  }
}

main(process.argv.slice(2)).catch((error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
