import { createHash } from 'node:crypto';
import { writtenPathProblem } from '../lessons/lesson-path.ts';
import { type ContentFolder, UnusablePathError } from './content-folder.ts';
import type { Problem } from './problems.ts';
import type { WrittenContent } from './schema.ts';

/** The most that a service can be configured to accept. */
const maxFileBytes = 256 * 1024 * 1024;

/** The files of lessons that are written in the pages. Whole files are not kept in memory. */
export async function readWrittenFiles(
  folder: ContentFolder,
  path: string,
  problems: Problem[],
): Promise<WrittenContent[]> {
  const files: WrittenContent[] = [];
  const report = (file: string, message: string): void => void problems.push({ file, line: 1, message });
  try {
    for (const { path: below } of await folder.filesBelow(path)) {
      const source = `${path}/${below}`;
      const problem = writtenPathProblem(below);
      if (problem !== undefined) {
        report(source, problem.text);
        continue;
      }
      const read = () => folder.readBytes(source, maxFileBytes);
      const content = await read();
      const digest = createHash('sha256').update(content).digest('hex');
      files.push({
        path: below,
        bytes: content.length,
        digest,
        read: async function* () {
          yield await read();
        },
      });
    }
  } catch (error) {
    if (!(error instanceof UnusablePathError)) throw error;
    report(path, error.message);
  }
  return files;
}
