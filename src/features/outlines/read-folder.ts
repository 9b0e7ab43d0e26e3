import { join } from 'node:path/posix';
import { ContentFolder, UnusablePathError } from '../content/content-folder.ts';
import type { Problem } from '../content/problems.ts';
import { linkReports } from './link-reports.ts';
import { isContentsFile, isOrderFile } from './outline.ts';
import type { OutlineProblem } from './outline-problems.ts';
import { isMarkdown, type SourceFiles } from './source.ts';

/** Of one repository. */
export const limits = { files: 10_000, textBytes: 64 * 1024 * 1024 };
const maxDepth = 20;
const maxContentsBytes = 1024 * 1024;

/** The files of a folder. Links are not followed, and hidden files are ignored. */
export type SourceFolder = {
  files: SourceFiles;
  /** Files that cannot be converted. */
  problems: Problem[];
  warnings: OutlineProblem[];
  /** @throws UnusablePathError */
  read: (path: string, maxBytes: number) => Promise<Buffer>;
};

/** @param maxBytes of a lesson. @throws Error when the folder does not exist or is too large */
export async function readSourceFolder(directory: string, maxBytes: number): Promise<SourceFolder> {
  const folder = await ContentFolder.open(directory);
  const files = new Map<string, string | null>();
  const problems: Problem[] = [];
  const links: string[] = [];
  let bytes = 0;
  const addFile = async (path: string): Promise<void> => {
    if (files.size === limits.files) throw new Error(`${directory} has more than ${limits.files} files`);
    files.set(path, null);
    if (!isMarkdown(path) && !isContentsFile(path)) return;
    try {
      const text = await folder.readText(path, isMarkdown(path) ? maxBytes : maxContentsBytes);
      bytes += Buffer.byteLength(text);
      files.set(path, text);
    } catch (error) {
      if (!(error instanceof UnusablePathError)) throw error;
      problems.push({ file: path, line: 1, message: `${error.message}: it is left out` });
    }
    if (bytes > limits.textBytes)
      throw new Error(`${directory} has more than ${limits.textBytes / 1024 / 1024} MiB of texts`);
  };
  const visit = async (below: string, depth: number): Promise<void> => {
    for (const entry of await folder.list(below, (name) => !name.startsWith('.') || isOrderFile(name))) {
      const path = join(below, entry.name);
      if (/[\\\p{Cc}]/u.test(entry.name))
        problems.push({
          file: below || '.',
          line: 1,
          message: 'has a file with a backslash or a control character in its name: it is left out',
        });
      else if (entry.isSymbolicLink()) links.push(path);
      else if (entry.isDirectory()) {
        if (depth === maxDepth)
          problems.push({ file: path, line: 1, message: `is more than ${maxDepth} folders deep: it is left out` });
        else if (entry.name !== 'node_modules') await visit(path, depth + 1);
      } else if (entry.isFile()) await addFile(path);
    }
  };
  await visit('', 0);
  const reports = linkReports(links);
  problems.push(...reports.problems);
  return { files, problems, warnings: reports.warnings, read: (path, limit) => folder.readBytes(path, limit) };
}
