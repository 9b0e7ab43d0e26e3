import { convertKillercoda } from '../features/killercoda/convert.ts';
import { checkTarget, writeContent } from '../features/killercoda/write.ts';
import type { CommandContext } from '../main.ts';

/** Converts content of another platform into a content directory of ours. */
export async function convert({ operands, flags }: CommandContext): Promise<number> {
  const [kind, source, target, ...others] = operands;
  if (kind !== 'killercoda' || source === undefined || target === undefined || others.length > 0) {
    process.stderr.write('Usage: npm run convert -- killercoda SOURCE TARGET [--image IMAGE] [--points NUMBER]\n');
    return 2;
  }
  const points = Number(flags.points ?? '1');
  if (!Number.isInteger(points) || points < 1 || points > 10_000)
    throw new Error('--points is a number from 1 to 10000');
  await checkTarget(target);
  const { files, warnings } = await convertKillercoda(source, { image: flags.image, points });
  await writeContent(target, files);
  const sorted = warnings.toSorted((a, b) => a.file.localeCompare(b.file, 'en') || a.line - b.line);
  for (const { file, line, message } of sorted) process.stdout.write(`warning  ${file}:${line}: ${message}\n`);
  const count = (pattern: RegExp): number => [...files.keys()].filter((path) => pattern.test(path)).length;
  const written = `${count(/^courses\//)} courses, ${count(/laboratory\.yaml$/)} laboratories, ${count(/verify\.sh$/)} tasks`;
  process.stdout.write(`${target}: ${written}, ${warnings.length} warnings\n`);
  return 0;
}
