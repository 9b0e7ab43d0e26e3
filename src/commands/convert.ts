import { Command, InvalidArgumentError } from '@commander-js/extra-typings';
import { convertKillercoda } from '../features/killercoda/convert.ts';
import { checkTarget, writeContent } from '../features/killercoda/write.ts';
import { runCommand } from './run-command.ts';

const killercoda = new Command('killercoda')
  .description('Convert Killercoda scenarios into a content directory')
  .argument('<source>', 'the scenarios')
  .argument('<target>', 'a new or empty directory')
  .option('--image <image>', 'the container image of the laboratories')
  .option('--points <number>', 'the points of each task', readPoints, 1)
  .action((source, target, options) => runCommand(() => convert(source, target, options)));

export const command = new Command('convert')
  .description('Convert content of another platform into a content directory')
  .addCommand(killercoda);

function readPoints(text: string): number {
  const points = Number(text);
  if (Number.isInteger(points) && points >= 1 && points <= 10_000) return points;
  throw new InvalidArgumentError('It is a number from 1 to 10000.');
}

type ConvertOptions = { image?: string | undefined; points: number };

async function convert(source: string, target: string, { image, points }: ConvertOptions): Promise<number> {
  await checkTarget(target);
  const { files, warnings } = await convertKillercoda(source, { image, points });
  await writeContent(target, files);
  const sorted = warnings.toSorted((a, b) => a.file.localeCompare(b.file, 'en') || a.line - b.line);
  for (const { file, line, message } of sorted) process.stdout.write(`warning  ${file}:${line}: ${message}\n`);
  const count = (pattern: RegExp): number => [...files.keys()].filter((path) => pattern.test(path)).length;
  const written = `${count(/^courses\//)} courses, ${count(/laboratory\.yaml$/)} laboratories, ${count(/^laboratories\/[^/]+\/tasks\/[^/]+\/verify\.sh$/)} tasks, ${count(/^laboratories\/[^/]+\/files\//)} files`;
  process.stdout.write(`${target}: ${written}, ${warnings.length} warnings\n`);
  return 0;
}
