import type { ChildProcess } from 'node:child_process';

/** Ends a process group by its leader, with SIGTERM first, so that git removes its locks and temporary files. */
export function endGroup(child: ChildProcess): void {
  const signal = (name: NodeJS.Signals) => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, name);
    } catch {
      // Already ended.
    }
  };
  signal('SIGTERM');
  const timer = setTimeout(() => signal('SIGKILL'), 2000);
  child.once('close', () => clearTimeout(timer));
}
