/** The CPU time of processes, in milliseconds, as Linux counts it. */
import { readdirSync, readFileSync } from 'node:fs';

const ticksPerSecond = 100;

/** Of this process with all its threads, of its children that have ended, and of its descendants that run. */
export function usedMs(): number {
  const { user, system } = process.cpuUsage();
  const waitedFor = statTicks('self').slice(2);
  return (user + system) / 1000 + toMs(waitedFor) + descendants(process.pid).reduce((sum, pid) => sum + treeMs(pid), 0);
}

const toMs = (ticks: readonly number[]): number => (ticks.reduce((sum, n) => sum + n, 0) * 1000) / ticksPerSecond;
const treeMs = (pid: number): number => toMs(statTicks(`${pid}`));

/** Of a process: its own ticks (user, system), and those of the children that it has waited for. */
function statTicks(pid: string): number[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in parentheses, may contain spaces; user time is the 12th field after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields.slice(11, 15).map(Number);
  } catch {
    return [0, 0, 0, 0];
  }
}

function descendants(pid: number): number[] {
  const children = childrenOf(pid);
  return [...children, ...children.flatMap(descendants)];
}

function childrenOf(pid: number): number[] {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`);
    return tasks.flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}

/** Of the children of this process that bear a name, with theirs. */
export const childrenMs = (name: string): number =>
  childrenOf(process.pid)
    .filter((pid) => nameOf(pid) === name)
    .reduce((sum, pid) => sum + treeMs(pid) + descendants(pid).reduce((all, one) => all + treeMs(one), 0), 0);

function nameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return '';
  }
}
