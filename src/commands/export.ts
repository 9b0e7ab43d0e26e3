import { fileURLToPath } from 'node:url';
import { Command } from '@commander-js/extra-typings';
import { ContentService } from '../features/content/service.ts';
import { ContentStore } from '../features/content/store.ts';
import { withCurrentDatabase } from './open-database.ts';
import { type CommandContext, runCommand } from './run-command.ts';
import { toOutput as report } from './steps.ts';

export const command = new Command('export')
  .summary('Write content to files')
  .description("Write the database's content to files. The service may be running.")
  .argument('<directory>', 'a new or empty directory')
  .option('--all', 'include the exams and laboratories that students do not see')
  .action((directory, { all = false }) => runCommand((context) => exportContent(context, directory, all)));

async function exportContent(context: CommandContext, directory: string, all: boolean): Promise<number> {
  const { config } = context;
  const shipped = fileURLToPath(new URL('../../content/lessons', import.meta.url));
  const lessons = config.lessons.url === undefined ? shipped : undefined;
  const { counts, missingLessons } = await withCurrentDatabase(context, (db) =>
    new ContentService(new ContentStore(db, config.catalogue)).export(directory, { all, lessons }),
  );
  const { courses, themes, exams, laboratories, tasks, sandboxTemplates, writtenLessons } = counts;
  report('courses', `${courses}, with ${themes} themes`);
  report('exams', `${exams}, and laboratories: ${laboratories}, with ${tasks} tasks`);
  report('templates', `${sandboxTemplates}`);
  if (writtenLessons > 0) report('written', `${writtenLessons} files of lessons that are written in the pages`);
  if (lessons === undefined) report('lessons', 'are in the repository of LESSONS_REPO_URL');
  else if (missingLessons.length === 0) report('lessons', 'written as well');
  else report('lessons', `not written, because they are missing: ${missingLessons.join(', ')}`);
  report('done', directory);
  return 0;
}
