import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { changesAreKnown } from '../database/processes/agreement.ts';
import { ContentService } from '../features/content/service.ts';
import { ContentStore } from '../features/content/store.ts';
import { withCurrentDatabase } from './open-database.ts';
import { type CommandContext, runCommand } from './run-command.ts';
import { toOutput as report } from './steps.ts';

export const command = new Command('import')
  .summary('Create or update content from files')
  .description(
    'Create or update courses, exams, laboratories and sandbox templates from files. The service may be running.',
  )
  .argument('<directory>', 'the files')
  .option('--dry-run', 'only report what would change')
  .option('--prune', 'remove sections, themes and tasks that the files no longer have')
  .action((directory, options) => runCommand((context) => importContent(context, directory, options)));

/** The texts of lessons stay where they are: the service reads them from a repository. */
async function tellLessons(directory: string, url: string | undefined): Promise<void> {
  const folder = join(directory, 'lessons');
  const files = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const count = files.filter((file) => file.isFile()).length;
  if (count === 0) return;
  const place = url === undefined ? 'the repository that LESSONS_REPO_URL names' : 'the lessons repository';
  report('lessons', `the ${count} files of ${folder} are not copied: push them to ${place}`);
}

type ImportOptions = { dryRun?: boolean | undefined; prune?: boolean | undefined };

async function importContent(
  context: CommandContext,
  directory: string,
  { dryRun = false, prune = false }: ImportOptions,
): Promise<number> {
  const { config } = context;
  const changes = await withCurrentDatabase(context, async (db, address) => {
    const made = await new ContentService(new ContentStore(db, config.catalogue)).import(directory, { dryRun, prune });
    if (!dryRun) await changesAreKnown(address);
    return made;
  });
  for (const { action, kind, name, fields } of changes) {
    if (action !== 'unchanged') report(action, `${kind} ${name}${fields.length > 0 ? `: ${fields.join(', ')}` : ''}`);
  }
  for (const [action, some] of Map.groupBy(changes, (change) => change.action)) {
    const kinds = [...Map.groupBy(some, ({ kind }) => kind)].map(([kind, all]) => `${kind} ${all.length}`);
    report('total', `${action}: ${kinds.join(', ')}`);
  }
  if (changes.some(({ action }) => action === 'left')) report('', '--prune removes the rest');
  await tellLessons(directory, config.lessons.url);
  report(dryRun ? 'dry run' : 'done', dryRun ? 'nothing was written' : directory);
  return 0;
}
