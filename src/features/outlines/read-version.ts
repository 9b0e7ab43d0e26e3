import { NotFoundError } from '../../errors.ts';
import type { ProblemParams } from '../../values/coded-problem.ts';
import type { LessonVersion } from '../lesson-repositories/lesson-source.ts';
import { linkReports } from './link-reports.ts';
import { isContentsFile, isOrderFile } from './outline.ts';
import { type OutlineProblem, type OutlineProblemCode, outlineProblem } from './outline-problems.ts';
import { limits } from './read-folder.ts';
import { isMarkdown, type SourceFiles } from './source.ts';

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
