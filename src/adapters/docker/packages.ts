import { type Machine, thisMachine } from './machine.ts';

/** The reason why missing packages are not installed on this machine, or undefined if they can be. */
export async function whyNotInstall(install: boolean, machine: Machine): Promise<string | undefined> {
  if (!machine.isRoot) return 'only root can install packages';
  if (!install) return 'nothing is installed because of --no-install';
  const release = await machine.read('/etc/os-release');
  const isDebian = /^ID(_LIKE)?=.*\b(debian|ubuntu)\b/m.test(release) && (await machine.exists('/usr/bin/apt-get'));
  return isDebian ? undefined : 'packages are installed automatically only on Debian and Ubuntu';
}

/** Installs Debian packages. @returns the error of apt-get, or undefined */
export async function installPackages(
  machine: Machine,
  packages: readonly string[],
  progress: (line: string) => void,
): Promise<string | undefined> {
  const wait = ['-o', 'DPkg::Lock::Timeout=300'];
  const aptGet = (args: string[]) => reportWhile(machine.run('apt-get', args), 'still installing', progress);
  const update = () => aptGet(['update', ...wait]);
  const install = () => aptGet(['install', '-y', '--no-install-recommends', ...wait, ...packages]);

  const lists = await machine.list('/var/lib/apt/lists');
  const hasLists = lists.some((name) => name.includes('_Packages'));
  if (!hasLists) await update();
  let result = await install();
  // Outdated lists name files that no longer exist.
  if (result.code !== 0 && hasLists) {
    await update();
    result = await install();
  }
  if (result.code === 0) return undefined;
  return `apt-get install ${packages.join(' ')} ended with ${result.code}: ${lastLines(result.output)}`;
}

async function reportWhile<T>(work: Promise<T>, line: string, progress: (line: string) => void): Promise<T> {
  const begin = Date.now();
  const timer = setInterval(() => progress(`${line}, ${Math.round((Date.now() - begin) / 1000)} s`), 15_000);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}

export const lastLines = (output: string): string => output.trim().split('\n').slice(-4).join('\n  ') || 'no output';

type ProgramSetup = {
  /** The Debian package of each program. */
  programs: Readonly<Record<string, string>>;
  install: boolean;
  progress: (line: string) => void;
  machine?: Machine;
};

/**
 * Installs missing programs, if that is allowed.
 * @returns the programs that are still missing and the reason, or undefined
 */
export async function setUpPrograms({
  programs,
  install,
  progress,
  machine = thisMachine,
}: ProgramSetup): Promise<string | undefined> {
  const names = Object.keys(programs);
  const searches = await Promise.all(names.map((program) => machine.run('sh', ['-c', 'command -v "$0"', program])));
  const missing = names.filter((_, index) => searches[index]?.code !== 0);
  if (missing.length === 0) return undefined;
  const packages = missing.map((program) => programs[program] ?? program);
  const obstacle = await whyNotInstall(install, machine);
  if (obstacle) return `${missing.join(', ')} missing (apt-get install ${packages.join(' ')}): ${obstacle}`;
  progress(`${missing.join(', ')} missing: installing (apt-get install ${packages.join(' ')})`);
  const failure = await installPackages(machine, packages, progress);
  return failure === undefined ? undefined : `${missing.join(', ')} missing: ${failure}`;
}
