import { fileURLToPath } from 'node:url';
import { ContentService } from '../features/content/service.ts';
import { ContentStore } from '../features/content/store.ts';
import type { CommandContext } from '../main.ts';
import { bringUpToDate, openDatabase, withDatabase } from './open-database.ts';
import { toOutput as report } from './steps.ts';

/** Writes the database's content to files, also while the service runs. */
export async function exportContent({ config, flags, operands, stop }: CommandContext): Promise<number> {
  const [directory] = operands;
  if (directory === undefined || operands.length > 1) throw new Error('export takes one directory');
  await using database = await openDatabase(config, { report, isShared: true, stop });
  await bringUpToDate(database.address, report);
  const shipped = fileURLToPath(new URL('../../content/lessons', import.meta.url));
  const lessons = config.lessons.url === undefined ? shipped : undefined;
  const { counts, missingLessons } = await withDatabase(database.address, (db) =>
    new ContentService(new ContentStore(db, config.catalogue)).export(directory, { all: flags.all === true, lessons }),
  );
  const { courses, themes, exams, laboratories, tasks, sandboxTemplates } = counts;
  report('courses', `${courses}, with ${themes} themes`);
  report('exams', `${exams}, and laboratories: ${laboratories}, with ${tasks} tasks`);
  report('templates', `${sandboxTemplates}`);
  if (lessons === undefined) report('lessons', 'are in the repository of LESSONS_REPO_URL');
  else if (missingLessons.length === 0) report('lessons', 'written too');
  else report('lessons', `not written, as these are not there: ${missingLessons.join(', ')}`);
  report('done', directory);
  return 0;
}
