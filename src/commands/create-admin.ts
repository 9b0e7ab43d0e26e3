import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Invalid } from '../errors.ts';
import { Passwords } from '../features/auth/passwords.ts';
import { RegisterBody } from '../features/auth/schema.ts';
import { UserStore } from '../features/auth/store.ts';
import { compileFields } from '../http/validation.ts';
import type { CommandContext } from '../main.ts';
import { bringUpToDate, openDatabase, withDatabase } from './open-database.ts';
import { toOutput as report } from './steps.ts';

const checkAccount = compileFields(RegisterBody);

/** Makes an administrator, also while the service runs. */
export async function createAdministrator({ config, flags, stop }: CommandContext): Promise<number> {
  const username = flags.username ?? (await ask('Username: ', stop));
  const email = flags.email ?? (await ask('E-mail address: ', stop));
  const given = flags['password-stdin']
    ? (await text(process.stdin)).replace(/\r?\n$/, '')
    : await askSecret('Password (empty: one is made up): ', stop);
  const password = given || randomBytes(12).toString('base64url');
  const problems = checkAccount({ username, email, password }, 'body');
  if (problems.length > 0) throw new Invalid(problems);

  await using database = await openDatabase(config, { report, isShared: true, stop });
  await bringUpToDate(database.address, report);
  const password_hash = await new Passwords(config.passwords).hash(password);
  const user = await withDatabase(database.address, (db) =>
    new UserStore(db).create({ username, email, password_hash, role: 'admin' }),
  );
  report('administrator', `${user.username} (id ${user.id}) may log in now`);
  if (!given) report('password', `${password}   (made up, and shown only this once)`);
  return 0;
}

async function ask(question: string, stop: AbortSignal): Promise<string> {
  if (!process.stdin.isTTY) throw new Error('There is nobody to ask: give --username and --email');
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return (await terminal.question(question, { signal: stop })).trim();
  } finally {
    terminal.close();
  }
}

/** Empty where there is nobody to ask. What is typed is not shown. */
async function askSecret(question: string, stop: AbortSignal): Promise<string> {
  if (!process.stdin.isTTY) return '';
  process.stdout.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  try {
    return await terminal.question('', { signal: stop });
  } finally {
    terminal.close();
    process.stdout.write('\n');
  }
}
