import { type Machine, thisMachine } from './machine.ts';
import { installPackages, whyNotInstall } from './packages.ts';

export type ProgramSetup = {
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
