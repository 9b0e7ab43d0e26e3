import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Marks a data folder as used by one service. The lock is a SQLite transaction on the file, which is a kernel lock. It is released
 * with its process, however that ends. Reused process ids, or those of another container, do not affect it. The file's
 * `user_version` holds the owner's process id, for the message.
 * @throws ServiceRunningError if another process holds it
 */
export function lockDataFolder(dataDir: string): Disposable {
  const path = join(dataDir, 'service.lock');
  const file = openLock(path);
  try {
    file.exec('PRAGMA journal_mode = memory');
    file.exec(`BEGIN IMMEDIATE; PRAGMA user_version = ${process.pid}; COMMIT; BEGIN IMMEDIATE`);
  } catch (error) {
    const holder = readHolder(file);
    file.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy)
      throw new ServiceRunningError(dataDir, holder);
    throw error;
  }
  return { [Symbol.dispose]: () => file.close() };
}

const sqliteBusy = 5;

function openLock(path: string): DatabaseSync {
  try {
    // Created with mode 600. Only a new file: closing an existing one would release a lock that this process has on it.
    if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
    return new DatabaseSync(path, { timeout: 250 });
  } catch (error) {
    throw unusable(path, error);
  }
}

const unusable = (path: string, cause: unknown): Error =>
  new Error(
    `${path} cannot be written (${cause instanceof Error ? cause.message : cause}): ` +
      'the data folder must be on a disk with room and belong to the user that the service runs as',
    { cause },
  );

function readHolder(file: DatabaseSync): number | undefined {
  try {
    return Number(file.prepare('PRAGMA user_version').get()?.user_version);
  } catch {
    return undefined;
  }
}

export class ServiceRunningError extends Error {
  constructor(dataDir: string, pid: number | undefined) {
    super(
      `A service is already running on ${dataDir}${pid ? ` (process ${pid})` : ''}: stop it first, or set another DATA_DIR`,
    );
    this.name = 'ServiceRunningError';
  }
}
