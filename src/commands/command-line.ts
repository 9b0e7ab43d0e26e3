import { Command, CommanderError, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { explain } from './run-command.ts';

/** Each command is defined in its own file, and only the needed file is loaded, because loading takes longest. */
type Commands = Readonly<Record<string, () => Promise<{ command: CommandUnknownOpts }>>>;

const usageError = 2;

/** Runs the command that the arguments name, and ends the process with its exit status. @param usual what runs without arguments */
export async function runCommandLine(commands: Commands, usual: string): Promise<void> {
  const given = process.argv.slice(2);
  await parse(commands, given.length === 0 ? [usual] : given).catch((error: unknown) => {
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
}

async function parse(commands: Commands, args: string[]): Promise<void> {
  const [name = ''] = args;
  // Help and unknown names need the names and summaries of all commands.
  const known = Object.hasOwn(commands, name) ? commands[name] : undefined;
  const loaded = known ? [known] : Object.values(commands);
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
