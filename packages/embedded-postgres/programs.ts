import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ServerCommand } from './account.ts';

const run = promisify(execFile);

/** The only database user, and its database. */
export const superuser = 'platform';
export const databaseName = 'postgres';

/** Runs PostgreSQL's programs as their account. */
export class ServerPrograms {
  readonly #binDir: string;
  readonly #commandOf: (program: string, args: string[]) => ServerCommand;

  constructor(binDir: string, commandOf: (program: string, args: string[]) => ServerCommand) {
    this.#binDir = binDir;
    this.#commandOf = commandOf;
  }

  command(name: string, args: string[]): ServerCommand {
    return this.#commandOf(join(this.#binDir, name), args);
  }

  /** @throws Error that explains the program's output */
  async run(name: string, args: string[]): Promise<void> {
    const { program, args: all, options } = this.command(name, args);
    try {
      await run(program, all, { cwd: '/', env: options.env });
    } catch (error) {
      const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
      throw explainFailure(name, said, { cause: error });
    }
  }
}

const explanations: [RegExp, string][] = [
  [/No space left on device/, 'the disk is full: make room, or set DATA_DIR to a folder on another disk'],
  [/Disk quota exceeded/, "the user's disk quota is used up: make room, or set DATA_DIR to a folder on another disk"],
  [
    /has wrong ownership|must be owned/,
    "the data folder has another owner than the server's user: give it back with chown -R",
  ],
  [/has invalid permissions/, 'the data folder may be entered by others: chmod 700 it'],
  [/Read-only file system/, 'the disk is mounted read-only: set DATA_DIR to a folder that can be written to'],
  [/Cannot allocate memory|could not map anonymous shared memory/, 'there is not enough memory'],
  [/Permission denied/, "the server's user may not read or write a file it needs"],
];

/** The output of a failed program, preceded by the reason if it is a known one. */
export function explainFailure(program: string, said: string, options: { cause?: unknown } = {}): Error {
  const reason = explanations.find(([pattern]) => pattern.test(said))?.[1];
  const lines = said.trim().split('\n').slice(-6).join('\n  ');
  return new Error(`PostgreSQL could not be started (${program})${reason ? `: ${reason}` : ''}\n  ${lines}`, options);
}
