import { setTimeout as pause } from 'node:timers/promises';
import { run } from '../git-repository.ts';

/** Keeps what was logged. */
export class MemoryLog {
  readonly infos: Record<string, unknown>[] = [];
  readonly warnings: Record<string, unknown>[] = [];

  info(fields: object, message: string): void {
    this.infos.push({ ...fields, message });
  }

  warn(fields: object, message: string): void {
    this.warnings.push({ ...fields, message });
  }
}

/** Asks until the answer is truthy. @throws Error after a minute and a half */
export async function until<T>(ask: () => T | Promise<T>): Promise<NonNullable<Awaited<T>>> {
  const end = performance.now() + 90_000;
  for (;;) {
    const answer = await ask();
    if (answer) return answer as NonNullable<Awaited<T>>;
    if (performance.now() > end) throw new Error('It did not come to pass');
    await pause(10);
  }
}

/** The processes that read objects out of a mirror. */
export async function readersOf(mirror: string): Promise<number[]> {
  const list = await run('ps', ['-eo', 'pid=,args=']);
  const lines = list.split('\n').filter((line) => line.includes(`--git-dir=${mirror} cat-file`));
  return lines.map((line) => Number.parseInt(line, 10));
}
