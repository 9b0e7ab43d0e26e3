import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Command, InvalidArgumentError } from '@commander-js/extra-typings';
import { withDatabase } from '../../src/commands/open-database.ts';
import { seedContent } from '../../src/commands/prepare-content.ts';
import { type CommandContext, runCommand } from '../../src/commands/run-command.ts';
import { start } from '../../src/commands/start.ts';
import { type Report, toOutput as report, secondsSince } from '../../src/commands/steps.ts';
import { type Config, useDataDir } from '../../src/config.ts';
import type { Database } from '../../src/database/connection/connect.ts';
import type { Role } from '../../src/database/tables.ts';
import { Passwords } from '../../src/features/auth/passwords/passwords.ts';
import { type Filled, fill } from './fill.ts';
import type { Hashes } from './plan.ts';
import { DemonstrationStore } from './store.ts';

/** Instead of the usual folder, so that a demonstration never meets the data of a school. */
const usualFolder = 'data-demonstration';
const roles: readonly Role[] = ['admin', 'instructor', 'student'];
/** What a number of PostgreSQL and the random numbers can hold. */
const maxSeed = 2 ** 31 - 1;

type Options = { seed: number; passwordStdin?: true | undefined; install: boolean };

export const command = new Command('demo')
  .summary('Start with the data of a demonstration')
  .description(
    'Fill a new installation with a school that has worked for two weeks, then serve it. ' +
      `The data folder is ${usualFolder}, unless DATA_DIR names another. An installation that has users is refused. ` +
      'A further start keeps the data and sets new passwords.',
  )
  .option('--seed <number>', 'another seed generates another school', seedOf, 1)
  .option('--password-stdin', 'read one password for all accounts from standard input')
  .option('--no-install', 'do not install a container engine or programs')
  .action(async (options) => {
    useDataDir(usualFolder);
    await runCommand((context) => demonstrate(context, options));
  });

async function demonstrate(context: CommandContext, options: Options): Promise<number> {
  const given = options.passwordStdin ? (await text(process.stdin)).replace(/\r?\n$/, '') : undefined;
  if (given !== undefined && given.length < 8) throw new Error('The password needs at least 8 characters');
  const passwords = Object.fromEntries(
    roles.map((role) => [role, given ?? randomBytes(9).toString('base64url')]),
  ) as Record<Role, string>;
  let filled: Filled | undefined;
  return await start(context, options.install, {
    prepare: async (address) => {
      const { config } = context;
      if (await withDatabase(address, (db) => needsData(new DemonstrationStore(db)))) {
        await seedContent(address, config.catalogue);
        const hashes = await hashesOf(config, passwords);
        filled = await withDatabase(address, (db) => fillAndReport(db, { config, hashes, seed: options.seed }));
      } else {
        report('demonstration', 'filled by an earlier start: remove the data folder for a new one');
        const hashes = await hashesOf(config, passwords);
        await withDatabase(address, (db) =>
          new DemonstrationStore(db).setPasswords(config.firstAdministrator.username, hashes),
        );
      }
      const accounts = await withDatabase(address, (db) => new DemonstrationStore(db).accounts());
      report('accounts', `${config.firstAdministrator.username} (administrator): ${passwords.admin}`);
      report('', `${accounts.instructors.join(', ')} (instructors): ${passwords.instructor}`);
      const others = [`${accounts.student} and all other students`, ...accounts.assistants.map(asAssistant)];
      report('', `${others.join(', ')}: ${passwords.student}`);
    },
    serving: async (address) => {
      if (filled?.running) await startWorkers(address, { ...filled.running, password: passwords.student, report });
    },
  });
}

const asAssistant = (username: string): string => `${username} (assistant)`;

/** @throws Error where there are users, but no demonstration */
async function needsData(store: DemonstrationStore): Promise<boolean> {
  if (await store.isFilled()) return false;
  await store.checkEmpty();
  return true;
}

async function fillAndReport(
  db: Database,
  { config, hashes, seed }: { config: Config; hashes: Hashes; seed: number },
): Promise<Filled> {
  const begin = performance.now();
  const { username, email } = config.firstAdministrator;
  const { classes, readings, attempts, notes, announcements, running } = await fill(new DemonstrationStore(db), {
    ...{ seed, hashes, now: new Date(), administrator: { username, email, full_name: 'Administrator' } },
    lessons: fileURLToPath(new URL('../../content/lessons', import.meta.url)),
  });
  const students = classes.reduce((sum, each) => sum + each.students.length, 0);
  const counts = [
    `${classes.length} classes with ${students} students`,
    ...[`${readings} lessons read`, `${attempts} attempts`, `${notes} notes`, `${announcements} announcements`],
  ];
  report('demonstration', `${counts.join(', ')} in ${secondsSince(begin)}`);
  return { classes, readings, attempts, notes, announcements, running };
}

async function hashesOf(config: Config, passwords: Record<Role, string>): Promise<Hashes> {
  using hashing = new Passwords(config.passwords);
  const hashes = await Promise.all(roles.map(async (role) => [role, await hashing.hash(passwords[role])]));
  return Object.fromEntries(hashes) as Hashes;
}

function seedOf(text: string): number {
  const seed = Number(text);
  if (!/^\d+$/.test(text) || seed > maxSeed) throw new InvalidArgumentError(`a number from 0 to ${maxSeed}`);
  return seed;
}

type Room = NonNullable<Filled['running']> & { password: string; report: Report };

type Answer = { access_token?: string; container_id?: number; detail?: unknown };

/**
 * Lets a few students begin the exam that runs, in real containers. The last one works in a terminal, which is recorded, and submits.
 * Without an engine nobody works in it, and everything else is complete.
 */
async function startWorkers(address: string, { sessionId, examId, workers, password, report }: Room): Promise<void> {
  const post = async (path: string, body: object, token?: string) => {
    const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) };
    const response = await fetch(address + path, { method: 'POST', headers, body: JSON.stringify(body) });
    const answer = (await response.json()) as Answer;
    if (!response.ok) throw new Error(`${response.status} ${JSON.stringify(answer.detail)}`);
    return answer;
  };
  const begin = async ({ username }: Room['workers'][number]) => {
    const { access_token = '' } = await post('/api/auth/login', { username, password });
    const { container_id } = await post(`/api/exams/${examId}/start`, { session_id: sessionId }, access_token);
    return { access_token, container_id };
  };
  const others = [...workers];
  const last = others.pop();
  let working = 0;
  try {
    for (const worker of others) {
      await begin(worker);
      working += 1;
    }
    if (last) {
      const { access_token, container_id } = await begin(last);
      await typeCommands(`${address.replace(/^http/, 'ws')}/ws/terminal/${container_id}?token=${access_token}`);
      await post(`/api/exams/${examId}/submit`, {}, access_token);
      report('exam', `${last.username} has worked in a terminal and submitted, which is recorded`);
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    report('exam', `further students could not begin the exam that runs: ${reason}`);
  }
  if (working > 0) report('exam', `${working} students work in the exam that runs now, in containers`);
}

const typedCommands = ['whoami', 'pwd', 'ls -la', 'cat /etc/os-release', 'df -h ~', 'ls -l /etc | head', 'exit'];
/** Milliseconds between two commands, and until the shell must have ended. */
const [pauseMs, patienceMs] = [800, 30_000];

/** Types as a student does, until the shell ends. @throws Error if the terminal cannot be opened, or does not end */
async function typeCommands(url: string): Promise<void> {
  const socket = new WebSocket(url);
  const ended = new Promise<void>((resolve, reject) => {
    socket.addEventListener('close', () => resolve());
    socket.addEventListener('error', () => reject(new Error('the terminal could not be opened')));
  });
  const end = new AbortController();
  const tooLong = delay(patienceMs, undefined, { signal: end.signal }).then(() => {
    throw new Error('the terminal did not end');
  });
  try {
    const opened = new Promise((resolve) => socket.addEventListener('open', resolve));
    await Promise.race([opened, ended, tooLong]);
    for (const command of typedCommands) {
      await delay(pauseMs);
      if (socket.readyState === WebSocket.OPEN) socket.send(`${command}\n`);
    }
    await Promise.race([ended, tooLong]);
  } finally {
    end.abort();
    tooLong.catch(() => undefined);
    socket.close();
  }
}
