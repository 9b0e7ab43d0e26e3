import { parseArgs } from 'node:util';
import { type Config, loadConfig } from './config.ts';
import { Invalid } from './errors.ts';

/** What a command gets. It returns the process's exit status. */
export type CommandContext = {
  config: Config;
  flags: Flags;
  /** What follows the command's name; none but for the commands that take operands. */
  operands: string[];
  /** Aborts on the first SIGINT, SIGTERM or SIGHUP. */
  stop: AbortSignal;
};

const flags = {
  'no-install': { type: 'boolean' },
  username: { type: 'string' },
  email: { type: 'string' },
  'password-stdin': { type: 'boolean' },
  image: { type: 'string' },
  points: { type: 'string' },
  'dry-run': { type: 'boolean' },
  prune: { type: 'boolean' },
  all: { type: 'boolean' },
  directory: { type: 'string' },
  force: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;
type Flags = ReturnType<typeof parseArgs<{ options: typeof flags; allowPositionals: true }>>['values'];

/** Loaded when they are called: most of the time a command takes to begin is loading what it needs. */
const commands: Record<string, () => Promise<(context: CommandContext) => Promise<number>>> = {
  start: async () => (await import('./commands/start.ts')).start,
  migrate: async () => (await import('./commands/migrate.ts')).migrateDatabase,
  'create-admin': async () => (await import('./commands/create-admin.ts')).createAdministrator,
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
  convert: async () => (await import('./commands/convert.ts')).convert,
  import: async () => (await import('./commands/import.ts')).importContent,
  export: async () => (await import('./commands/export.ts')).exportContent,
  try: async () => (await import('./commands/try.ts')).tryScripts,
  backup: async () => (await import('./commands/backup.ts')).backUp,
  restore: async () => (await import('./commands/restore.ts')).restore,
};
const withOperands = ['convert', 'import', 'export', 'try', 'backup', 'restore'];

const usage = `Usage: npm run COMMAND -- [OPTIONS]
  start          prepare what is missing, then serve (also: npm start)
                   --no-install   never install a container engine
  migrate        bring the database's schema up to date
  create-admin   make an administrator; asks for what is not given, makes up a password where nobody can be asked
                   --username NAME  --email ADDRESS  --password-stdin
  doctor         list what is there and what is missing; changes nothing
  convert killercoda SOURCE TARGET
                 make content of ours in the folder TARGET of Killercoda's scenarios in SOURCE
                   --image IMAGE  --points NUMBER
  import DIRECTORY
                 make or change courses, exams, laboratories and sandbox templates as the directory's files say
                   --dry-run   only say what would change
                   --prune     remove sections, themes and tasks that the files no longer have
  export DIRECTORY
                 write them to files again, into a directory that is new or empty
                   --all       with the exams and laboratories that students do not see
  try exam|laboratory SLUG|ID
                 run its checks and solutions in a container of their own; ends with 1 if something is wrong with one
                   --directory DIRECTORY   of the files there, before they are imported
  backup FILE|DIRECTORY
                 write database, avatars, recordings and keys into one file, also while the service runs
  restore FILE   put a backup into an empty database and data folder, while the service does not run
                   --force   in the place of what is there
`;

/** A duplicate of the first signal: npm hands on to us what the terminal has sent to us as well. */
const duplicateWindow = 1000;

/** The first signal asks to stop, a second one ends at once, and so does the end of our patience. */
function listenForStop(): { signal: AbortSignal; limit: (milliseconds: number) => void } {
  const controller = new AbortController();
  let stoppedAt = 0;
  let patience = 20_000;
  const end = (why: string): never => {
    process.stderr.write(`${why}\n`);
    process.exit(1);
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (!controller.signal.aborted) {
        stoppedAt = Date.now();
        controller.abort(new Error(`stopped by ${name}`));
        setTimeout(() => end(`Stopping took longer than ${patience / 1000} s: ended`), patience).unref();
      } else if (Date.now() - stoppedAt > duplicateWindow) {
        end('Ended by a second signal');
      }
    });
  }
  return {
    signal: controller.signal,
    limit: (milliseconds) => {
      patience = milliseconds;
    },
  };
}

/** Undefined, after what is wrong was said, for options that there are not. */
function readArguments() {
  try {
    return parseArgs({ options: flags, allowPositionals: true });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    process.stderr.write(`${error.message}\n${usage}`);
    return undefined;
  }
}

async function main(): Promise<number> {
  const given = readArguments();
  if (given === undefined) return 2;
  const { values, positionals } = given;
  const [name = 'start', ...operands] = positionals;
  const others = withOperands.includes(name) ? [] : operands;
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (values.help) {
    process.stdout.write(usage);
    return 0;
  }
  if (!load || others.length > 0) {
    process.stderr.write(`${load ? `Unexpected: ${others.join(' ')}` : `No such command: ${name}`}\n${usage}`);
    return 2;
  }
  const config = loadConfig();
  const { signal, limit } = listenForStop();
  limit(config.stopTimeout);
  try {
    const command = await load();
    return await command({ config, flags: values, operands, stop: signal });
  } catch (error) {
    if (error === signal.reason && signal.aborted) return 0;
    throw error;
  }
}

function explain(error: unknown): string {
  if (error instanceof Invalid)
    return error.items.map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`).join('\n');
  if (!(error instanceof Error)) return String(error);
  const isMistakeOfOurs = error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError;
  return isMistakeOfOurs ? (error.stack ?? error.message) : error.message;
}

process.exitCode = await main().catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`);
  return 1;
});
// Whatever still runs, such as a build that was given up, must not keep the process.
process.exit();
