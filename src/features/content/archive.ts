import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { InvalidError, ServiceError } from '../../errors.ts';

/** A file of a content folder. Those that are no text in UTF-8 are in base64. */
export type ArchivedFile = { path: string; text?: string; base64?: string };

/** Bytes of all files of one course. They are in memory while they are sent. */
export const maxArchiveBytes = 16 * 1024 * 1024;
export const maxArchiveFiles = 2000;

/** A new folder in another one, which is deleted when it is disposed of. */
export async function temporaryFolder(directory: string): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(directory, 'course-'));
  return { path, [Symbol.asyncDispose]: async () => await rm(path, { recursive: true, force: true }) };
}

/** All files below a folder, by path. @throws ServiceError 413 for too many bytes */
export async function archiveOf(folder: string): Promise<ArchivedFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const files: ArchivedFile[] = [];
  let bytes = 0;
  for (const path of paths.sort()) {
    const content = await readFile(path);
    bytes += content.length;
    if (bytes > maxArchiveBytes || files.length === maxArchiveFiles)
      throw new ServiceError(413, 'file_too_large', `The course has more than ${maxArchiveBytes} bytes`);
    files.push({ path: relative(folder, path), ...encoded(content) });
  }
  return files;
}

/** Writes files into a folder. @throws InvalidError for a path that could lead out of it, or repeats */
export async function unpack(folder: string, files: readonly ArchivedFile[]): Promise<void> {
  for (const [index, { path, text, base64 }] of files.entries()) {
    if (!isInside(path)) throw invalid(index, 'the path should be relative, without empty, hidden or .. steps');
    if ((text === undefined) === (base64 === undefined)) throw invalid(index, 'a file has either text or base64');
    const target = join(folder, path);
    const content = text === undefined ? Buffer.from(base64 ?? '', 'base64') : text;
    try {
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, content, { flag: 'wx' });
    } catch (error) {
      if (!['EEXIST', 'ENOTDIR', 'ENAMETOOLONG', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? ''))
        throw error;
      throw invalid(index, 'the path is too long, or another file has it or its folder');
    }
  }
}

function encoded(content: Buffer): { text: string } | { base64: string } {
  const text = content.toString();
  // A NUL byte in a text is refused.
  return Buffer.from(text).equals(content) && !text.includes('\0') ? { text } : { base64: content.toString('base64') };
}

/** Hidden files of machines are allowed, below the folders of files. */
const isInside = (path: string): boolean =>
  !/[\\\p{Cc}]/u.test(path) && path.split('/').every((step) => step !== '' && step !== '.' && step !== '..');

const invalid = (index: number, problem: string): InvalidError =>
  new InvalidError([{ loc: ['body', 'files', index, 'path'], msg: `Value error, ${problem}`, type: 'value_error' }]);
