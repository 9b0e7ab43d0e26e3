import { Command, InvalidArgumentError } from '@commander-js/extra-typings';
import { type CommandContext, runCommand } from '../../src/commands/run-command.ts';
import { toOutput as tell } from '../../src/commands/steps.ts';
import type { Problem } from '../../src/features/content/problems.ts';
import { checkTarget, convertKillercoda, writeContent } from './killercoda/convert.ts';
import { readImages } from './killercoda/images.ts';
import { type ConversionReport, carriedWords, reportText } from './killercoda/report.ts';
import { convertFolder } from './markdown/convert-folder.ts';

/** Of a result in which something is missing. 2 is a mistake on the command line. */
const incomplete = 3;

const killercoda = new Command('killercoda')
  .description(
    'Convert Killercoda scenarios into a content directory. The exit status is 3 if a scenario was left out because of an error.',
  )
  .argument('<source>', 'the scenarios')
  .argument('<target>', 'a new or empty directory')
  .option('--image <image>', 'the container image of laboratories that the file does not name')
  .option('--images <file>', 'a YAML file with a line for each image: its name at Killercoda, and the image here')
  .option('--points <number>', 'the points of each task', readPoints, 1)
  .action((source, target, options) => runCommand(() => convert(source, target, options)));

const markdown = new Command('markdown')
  .description('Convert a folder of Markdown lessons into a course, or bring a converted course up to date')
  .argument('<folder>', 'the lessons, with or without a table of contents')
  .argument('<target>', 'a content directory; it may have other content')
  .option('--name <name>', 'the name of the repository (default: that of the folder)')
  .option(
    '--language <code>',
    'the language of lessons with translations, such as de for page.de.md (default: English, or none in the path)',
  )
  .action((folder, target, options) => runCommand((context) => convertLessons(context, folder, target, options)));

export const command = new Command('convert')
  .description('Convert other content into a content directory')
  .addCommand(killercoda)
  .addCommand(markdown);

function readPoints(text: string): number {
  const points = Number(text);
  if (Number.isInteger(points) && points >= 1 && points <= 10_000) return points;
  throw new InvalidArgumentError('It is a number from 1 to 10000.');
}

type ConvertOptions = { image?: string | undefined; images?: string | undefined; points: number };

async function convert(source: string, target: string, { image, images, points }: ConvertOptions): Promise<number> {
  await checkTarget(target);
  const table = images === undefined ? undefined : await readImages(images);
  const { files, report } = await convertKillercoda(source, { image, images: table, points });
  // Markdown at the top of a content directory is not content.
  await writeContent(target, new Map([...files, ['REPORT.md', reportText(report)]]));
  return summarize(report, target);
}

function summarize({ scenarios, problems }: ConversionReport, target: string): number {
  for (const { folder, carried, changed, lost } of scenarios) {
    const name = folder === '' ? 'the folder itself' : folder;
    if (carried) tell('converted', `${name}: ${carriedWords(carried)}; ${changed.length} changed, ${lost.length} lost`);
    else tell('LEFT OUT', name);
  }
  const errors = [...problems, ...scenarios.flatMap((scenario) => scenario.problems)];
  for (const { file, line, message } of errors) tell('error', `${file}:${line}: ${message}`);
  const converted = scenarios.filter(({ carried }) => carried !== undefined).length;
  const practised = scenarios.flatMap(({ carried }) => (carried && carried.tasks > 0 ? [carried] : []));
  const tasks = practised.reduce((sum, carried) => sum + carried.tasks, 0);
  const solved = practised.reduce((sum, { solutions, proposed }) => sum + solutions + proposed, 0);
  tell('done', `${target}: ${converted} of ${scenarios.length} scenarios; everything in ${target}/REPORT.md`);
  tell(
    'practice',
    `${practised.length} of ${scenarios.length} scenarios have tasks: ${tasks}, of which ${solved} have a solution`,
  );
  return errors.length > 0 ? incomplete : 0;
}

/** The status is 3 if an entry could not be converted. The others are converted all the same. */
async function convertLessons(
  { config }: CommandContext,
  folder: string,
  target: string,
  { name, language }: { name?: string | undefined; language?: string | undefined },
): Promise<number> {
  const converted = await convertFolder(folder, target, { name, language, maxBytes: config.lessons.maxFileBytes });
  const { courses, changes, files, problems, warnings, format } = converted;
  list('warning', warnings);
  list('problem', problems);
  for (const { action, kind, name: slugs, fields } of changes)
    process.stdout.write(`${action.padEnd(9)}${kind} ${slugs}${fields.length > 0 ? `: ${fields.join(', ')}` : ''}\n`);
  for (const { action, path } of files) process.stdout.write(`${action.padEnd(9)}${path}\n`);
  const sections = courses.flatMap((course) => course.sections);
  const themes = sections.flatMap((section) => section.themes);
  const minutes = themes.reduce((sum, theme) => sum + theme.duration_minutes, 0);
  process.stdout.write(
    `${target}: from ${format}: ${courses.length} courses, ${sections.length} sections, ${themes.length} themes, ${minutes} minutes; ${problems.length} problems, ${warnings.length} warnings\n`,
  );
  return problems.length > 0 ? incomplete : 0;
}

function list(word: 'warning' | 'problem', problems: readonly Problem[]): void {
  const sorted = problems.toSorted((a, b) => a.file.localeCompare(b.file, 'en') || a.line - b.line);
  for (const { file, line, message } of sorted) process.stdout.write(`${word.padEnd(9)}${file}:${line}: ${message}\n`);
}
