import { ContentService } from '../features/content/service.ts';
import { ContentStore } from '../features/content/store.ts';
import type { CommandContext } from '../main.ts';
import { bringUpToDate, openDatabase, withDatabase } from './open-database.ts';
import { toOutput as report } from './steps.ts';

/** Brings the database's content to what a directory's files say, also while the service runs. */
export async function importContent({ config, flags, operands, stop }: CommandContext): Promise<number> {
  const [directory] = operands;
  if (directory === undefined || operands.length > 1) throw new Error('import takes one directory');
  await using database = await openDatabase(config, { report, isShared: true, stop });
  await bringUpToDate(database.address, report);
  const options = { dryRun: flags['dry-run'] === true, prune: flags.prune === true };
  const changes = await withDatabase(database.address, (db) =>
    new ContentService(new ContentStore(db, config.catalogue)).import(directory, options),
  );
  for (const { action, kind, name, fields } of changes) {
    if (action !== 'unchanged') report(action, `${kind} ${name}${fields.length > 0 ? `: ${fields.join(', ')}` : ''}`);
  }
  for (const [action, some] of Map.groupBy(changes, (change) => change.action)) {
    const kinds = [...Map.groupBy(some, ({ kind }) => kind)].map(([kind, all]) => `${kind} ${all.length}`);
    report('total', `${action}: ${kinds.join(', ')}`);
  }
  if (changes.some(({ action }) => action === 'left')) report('', 'what was left goes with --prune');
  report(options.dryRun ? 'dry run' : 'done', options.dryRun ? 'nothing was written' : directory);
  return 0;
}
