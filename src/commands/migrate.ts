import type { CommandContext } from '../main.ts';
import { bringUpToDate, openDatabase } from './open-database.ts';
import { toOutput as report } from './steps.ts';

/** Brings the schema up to date without starting the service. */
export async function migrateDatabase({ config, stop }: CommandContext): Promise<number> {
  await using database = await openDatabase(config, { report, isShared: true, stop });
  await bringUpToDate(database.address, report);
  return 0;
}
