import { accessSync, constants, readFileSync, statfsSync } from 'node:fs';

/** Linux' file system in memory that programs share (shm_overview(7)). */
const memory = '/dev/shm';
/** Bytes: ten times what a run of all tests has used at most. */
const needed = 3 * 1024 ** 3;

/**
 * Where the tests write: in memory, if the machine has room for it there. PostgreSQL copies a database for each test server, which costs a
 * tenth of the processor time there. undefined where the folder of temporary files is to be used: with `TMPDIR`, which the caller chose,
 * in a container with a small /dev/shm, and on other systems.
 */
export function fastFolder(env: NodeJS.ProcessEnv): string | undefined {
  if (env['TMPDIR'] !== undefined) return undefined;
  try {
    accessSync(memory, constants.W_OK);
    const { bavail, bsize } = statfsSync(memory);
    const available = /^MemAvailable: +(\d+) kB$/m.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1] ?? '0';
    return Math.min(bavail * bsize, Number(available) * 1024) >= needed ? memory : undefined;
  } catch {
    return undefined;
  }
}
