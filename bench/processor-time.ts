import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second. */
const ticksPerSecond = 100;

type Times = { parent: number; own: number; ended: number };

function timesOf(pid: number | string): Times | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [parent = 0, user = 0, system = 0, endedUser = 0, endedSystem = 0] = [1, 11, 12, 13, 14].map(
      (at) => fields[at],
    );
    return { parent, own: (user + system) / ticksPerSecond, ended: (endedUser + endedSystem) / ticksPerSecond };
  } catch {
    return undefined;
  }
}

/** Processor seconds of a process so far. */
export const processorSeconds = (pid: number): number => timesOf(pid)?.own ?? Number.NaN;

/** Processor seconds of PostgreSQL: its first process, its other processes, and those that have ended. */
export function databaseSeconds(pid: number): number {
  const first = timesOf(pid);
  if (!first) return Number.NaN;
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const children = all.map(timesOf).filter((times) => times?.parent === pid);
  return first.own + first.ended + children.reduce((sum, times) => sum + (times?.own ?? 0), 0);
}
