import { Command } from '@commander-js/extra-typings';
import { bringUpToDate, openDatabase } from './open-database.ts';
import { runCommand } from './run-command.ts';
import { toOutput as report } from './steps.ts';

export const command = new Command('migrate')
  .description("Update the database's schema without starting the service")
  .action(() =>
    runCommand(async ({ config, stop }) => {
      await using database = await openDatabase(config, { report, isShared: true, stop });
      await bringUpToDate(database.address, report);
      return 0;
    }),
  );
