import { NotFound } from '../../errors.ts';
import type { Problem } from '../content/problems.ts';
import type { LessonVersion } from '../lessons/lesson-source.ts';
import { isContentsFile } from './outline.ts';
import { limits } from './read-folder.ts';
import { isMarkdown, type SourceFiles } from './source.ts';

/** The files of a repository at a commit. Problems are files that cannot be converted, and what is beyond the limits. */
export async function readVersion(version: LessonVersion): Promise<{ files: SourceFiles; problems: Problem[] }> {
  const problems: Problem[] = [];
  const problem = (file: string, message: string): void => void problems.push({ file, line: 1, message });
  const paths = await version.files(limits.files + 1);
  if (paths.length > limits.files) problem('.', `has more than ${limits.files} files: the others are left out`);
  const files = new Map<string, string | null>();
  let bytes = 0;
  for (const path of paths.slice(0, limits.files).sort()) {
    files.set(path, null);
    if (!isMarkdown(path) && !isContentsFile(path)) continue;
    const content = await contentOf(version, path);
    bytes += content?.length ?? 0;
    if (content === undefined) problem(path, 'is too large: it is left out');
    else if (bytes > limits.textBytes)
      problem(path, `exceeds ${limits.textBytes / 1024 / 1024} MiB of texts: it is left out`);
    else {
      try {
        files.set(path, new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content));
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
        problem(path, 'is not text in UTF-8: it is left out');
      }
    }
  }
  return { files, problems };
}

async function contentOf(version: LessonVersion, path: string): Promise<Buffer | undefined> {
  try {
    return (await version.read(path)).bytes;
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}
