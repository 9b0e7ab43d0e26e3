import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Command } from '@commander-js/extra-typings';
import { InvalidError } from '../errors.ts';
import { Passwords } from '../features/auth/passwords/passwords.ts';
import { RegisterBody } from '../features/auth/schema.ts';
import { UserStore } from '../features/auth/store.ts';
import { compileFields } from '../http/protocol/validation.ts';
import { withCurrentDatabase } from './open-database.ts';
import { type CommandContext, runCommand } from './run-command.ts';
import { toOutput as report } from './steps.ts';

const checkAccount = compileFields(RegisterBody);

type Options = { username?: string | undefined; email?: string | undefined; passwordStdin?: true | undefined };

export const command = new Command('create-admin')
  .summary('Create an administrator')
  .description('Create an administrator. Prompts for missing values. The service may be running.')
  .option('--username <name>')
  .option('--email <address>')
  .option('--password-stdin', 'read the password from standard input')
  .action((options) => runCommand((context) => createAdministrator(context, options)));

async function createAdministrator(context: CommandContext, options: Options): Promise<number> {
  const { config, stop } = context;
  const username = options.username ?? (await ask('Username: ', stop));
  const email = options.email ?? (await ask('E-mail address: ', stop));
  const given = options.passwordStdin
    ? (await text(process.stdin)).replace(/\r?\n$/, '')
    : await askSecret('Password (empty: one is generated): ', stop);
  const password = given || randomBytes(12).toString('base64url');
  const problems = checkAccount({ username, email, password }, 'body');
  if (problems.length > 0) throw new InvalidError(problems);

  const password_hash = await new Passwords(config.passwords).hash(password);
  const user = await withCurrentDatabase(context, (db) =>
    new UserStore(db).create({ username, email, password_hash, role: 'admin' }),
  );
  report('administrator', `${user.username} (id ${user.id}) may log in now`);
  if (!given) report('password', `${password}   (generated, and shown only this once)`);
  return 0;
}

async function ask(question: string, stop: AbortSignal): Promise<string> {
  if (!process.stdin.isTTY) throw new Error('No terminal for prompts: use --username and --email');
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return (await terminal.question(question, { signal: stop })).trim();
  } finally {
    terminal.close();
  }
}

/** Empty where there is no terminal to prompt on. The input is not echoed. */
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
