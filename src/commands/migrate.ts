import { Command } from '@commander-js/extra-typings';
import { withCurrentDatabase } from './open-database.ts';
import { runCommand } from './run-command.ts';

export const command = new Command('migrate')
  .description("Update the database's schema without starting the service")
  .action(() => runCommand((context) => withCurrentDatabase(context, async () => 0)));
