import { basename, join } from 'node:path/posix';
import { NotFoundError } from '../../../src/errors.ts';
import { ContentFolder, UnusablePathError } from '../../../src/features/content/content-folder.ts';
import type { Problem } from '../../../src/features/content/problems.ts';
import type { LessonVersion } from '../../../src/features/lesson-repositories/lesson-source.ts';
import type { ProblemParams } from '../../../src/values/coded-problem.ts';
import { isContentsFile, isOrderFile } from './outline.ts';
import {
  isMarkdown,
  type OutlineProblem,
  type OutlineProblemCode,
  outlineProblem,
  type SourceFiles,
} from './source.ts';

/** Of one repository. */
const limits = { files: 10_000, textBytes: 64 * 1024 * 1024 };
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

type SourceVersion = { files: SourceFiles; problems: OutlineProblem[]; warnings: OutlineProblem[] };

/** The files of a repository at a commit. Problems are files that cannot be converted, and what is beyond the limits. */
export async function readVersion(version: LessonVersion): Promise<SourceVersion> {
  const problems: OutlineProblem[] = [];
  const problem = (file: string, code: OutlineProblemCode, params?: ProblemParams): void =>
    void problems.push(outlineProblem(file, 1, code, params));
  const paths = await version.files(limits.files + 1, isOrderFile);
  if (paths.length > limits.files) problem('.', 'files_too_many', { max: limits.files });
  const files = new Map<string, string | null>();
  let bytes = 0;
  for (const path of paths.slice(0, limits.files).sort()) {
    files.set(path, null);
    if (!isMarkdown(path) && !isContentsFile(path)) continue;
    const content = await contentOf(version, path);
    bytes += content?.length ?? 0;
    if (content === undefined) problem(path, 'lesson_too_large');
    else if (bytes > limits.textBytes) problem(path, 'texts_too_large', { max: limits.textBytes / 1024 / 1024 });
    else {
      try {
        files.set(path, new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content));
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
        problem(path, 'not_utf8');
      }
    }
  }
  const reports = linkReports(await version.links(limits.files, isOrderFile));
  return { files, problems: [...problems, ...reports.problems], warnings: reports.warnings };
}

async function contentOf(version: LessonVersion, path: string): Promise<Buffer | undefined> {
  try {
    return (await version.read(path)).bytes;
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

/**
 * What is said about the symbolic links of a repository. One in place of a lesson or a table of contents is a problem. One without an ending
 * can be a folder of lessons. Lessons that refer to another one have a warning of their own.
 */
function linkReports(links: readonly string[]): { problems: OutlineProblem[]; warnings: OutlineProblem[] } {
  const reports = (paths: string[]) => paths.sort().map((path) => outlineProblem(path, 1, 'symbolic_link'));
  const isText = (path: string) => isMarkdown(path) || isContentsFile(path) || isOrderFile(path);
  return {
    problems: reports(links.filter(isText)),
    warnings: reports(links.filter((path) => !isText(path) && !basename(path).includes('.'))),
  };
}
