import { Command, CommanderError } from '@commander-js/extra-typings';
import { explain } from './commands/run-command.ts';

/** All commands. Each is defined in its own file, and only the needed file is loaded, because loading takes longest. */
const commands = {
  start: () => import('./commands/start.ts'),
  demo: () => import('./commands/demo.ts'),
  migrate: () => import('./commands/migrate.ts'),
  'create-admin': () => import('./commands/create-admin.ts'),
  doctor: () => import('./commands/doctor.ts'),
  convert: () => import('./commands/convert.ts'),
  import: () => import('./commands/import.ts'),
  export: () => import('./commands/export.ts'),
  try: () => import('./commands/try.ts'),
  backup: () => import('./commands/backup.ts'),
  restore: () => import('./commands/restore.ts'),
  'copy-files': () => import('./commands/copy-files.ts'),
};

const usageError = 2;

async function main(given: string[]): Promise<void> {
  const args = given.length === 0 ? ['start'] : given;
  const [name = ''] = args;
  // Help and unknown names need the names and summaries of all commands.
  const loaded = Object.hasOwn(commands, name) ? [commands[name as keyof typeof commands]] : Object.values(commands);
  const program = new Command('npm run')
    .usage('COMMAND -- [options]')
    .description('The learning platform service.')
    .configureHelp({ commandUsage: (command) => `${commandLineOf(command)} ${command.usage()}` })
    .showHelpAfterError()
    .exitOverride();
  for (const load of loaded) {
    const { command } = await load();
    program.addCommand(command);
    for (const each of [command, ...command.commands]) each.copyInheritedSettings(program);
  }
  await program.parseAsync(args, { from: 'user' });
}

type Named = { name(): string; parent: Named | null };

/** The command line as the user types it: npm forwards the arguments after `--`. */
function commandLineOf(command: Named): string {
  const names: string[] = [];
  for (let each: Named | null = command; each; each = each.parent) names.unshift(each.name());
  const [npm = '', name, ...nested] = names;
  return name === undefined ? npm : [npm, name, '--', ...nested].join(' ');
}

if (process.argv[2] === 'serving-process' && process.connected) {
  // Not a command: the primary starts it, and it ends the process itself.
  (await import('./commands/processes/serving-process.ts')).runServingProcess();
  await new Promise(() => undefined);
}

await main(process.argv.slice(2)).catch((error: unknown) => {
  if (error instanceof CommanderError) {
    // The parser has already printed the error.
    process.exitCode = error.exitCode === 0 ? 0 : usageError;
    return;
  }
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
});
// Abandoned work, such as an image build, must not keep the process alive.
process.exit();
