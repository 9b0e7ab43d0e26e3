import { constants, type Dirent } from 'node:fs';
import { lstat, open, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';

/** Files below one folder that are listed. */
const maxFiles = 10_000;

/** A path in a content directory does not lead to a readable file. The message gives the reason and continues the path. */
export class UnusablePathError extends Error {}

/** Reads only below one directory: paths are relative, without `..`, and no step of them is a symbolic link. */
export class ContentFolder {
  readonly #root: string;

  private constructor(root: string) {
    this.#root = root;
  }

  /** @throws Error when the directory does not exist; the directory itself may be reached through a symbolic link */
  static async open(directory: string): Promise<ContentFolder> {
    const root = await realpath(directory).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOENT' ? new Error(`${directory} does not exist`, { cause: error }) : error;
    });
    if (!(await lstat(root)).isDirectory()) throw new Error(`${directory} is not a directory`);
    return new ContentFolder(root);
  }

  /** The entries of a folder by name, by default without hidden ones. Empty where the folder does not exist. */
  async list(path: string, isWanted = (name: string) => !name.startsWith('.')): Promise<Dirent[]> {
    try {
      await this.#check(path, 'folder');
    } catch (error) {
      if (error instanceof AbsentPathError) return [];
      throw error;
    }
    const entries = await readdir(join(this.#root, path), { withFileTypes: true });
    return entries
      .filter((entry) => isWanted(entry.name))
      .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  }

  /**
   * All files below a folder, including hidden ones, by their paths below it.
   * @throws UnusablePathError, including for a symbolic link and for too many files
   */
  async filesBelow(path: string): Promise<{ path: string; isExecutable: boolean }[]> {
    const top = await this.#check(path, 'folder');
    const found: { path: string; isExecutable: boolean }[] = [];
    const visit = async (below: string): Promise<void> => {
      for (const entry of await readdir(join(top, below), { withFileTypes: true })) {
        const inner = join(below, entry.name);
        if (entry.isDirectory()) await visit(inner);
        else if (!entry.isFile()) throw new UnusablePathError(`has ${inner}, which is neither a file nor a folder`);
        else if (found.length === maxFiles) throw new UnusablePathError(`has more than ${maxFiles} files`);
        else found.push({ path: inner, isExecutable: ((await lstat(join(top, inner))).mode & 0o100) !== 0 });
      }
    };
    await visit('');
    return found.sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** @throws UnusablePathError */
  async checkFile(path: string): Promise<void> {
    await this.#check(path, 'file');
  }

  /** @throws UnusablePathError, including for a file that is larger than `maxBytes` or not UTF-8 */
  async readText(path: string, maxBytes: number): Promise<string> {
    const bytes = await this.readBytes(path, maxBytes);
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch (error) {
      if (error instanceof TypeError) throw new UnusablePathError('is not text in UTF-8');
      throw error;
    }
  }

  /** @throws UnusablePathError, including for a file that is larger than `maxBytes` */
  async readBytes(path: string, maxBytes: number, { mayBeHidden = false } = {}): Promise<Buffer> {
    const file = await this.#check(path, 'file', mayBeHidden);
    await using handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
    if ((await handle.stat()).size > maxBytes) throw new UnusablePathError(`is larger than ${maxBytes / 1024} KiB`);
    return await handle.readFile();
  }

  async #check(path: string, wanted: 'file' | 'folder', mayBeHidden = false): Promise<string> {
    const steps = path === '' ? [] : path.split('/');
    if (path.startsWith('/')) throw new UnusablePathError('is an absolute path, and must be a relative one');
    if (steps.includes('..')) throw new UnusablePathError('holds `..`, which may lead outside');
    const isHidden = (step: string) => step === '.' || (step.startsWith('.') && !mayBeHidden);
    if (steps.some((step) => step === '' || isHidden(step) || /[\\\p{Cc}]/u.test(step))) {
      throw new UnusablePathError('holds a step that is empty, hidden or has a backslash or control characters');
    }
    let place = this.#root;
    for (const [index, step] of steps.entries()) {
      place = join(place, step);
      const found = await lstat(place).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT' || error.code === 'ENOTDIR' || error.code === 'ENAMETOOLONG') return undefined;
        throw error;
      });
      if (!found) throw new AbsentPathError('does not exist');
      if (found.isSymbolicLink()) throw new UnusablePathError('is a symbolic link or leads through one');
      const isLast = index === steps.length - 1;
      if (isLast && wanted === 'file' && !found.isFile()) throw new UnusablePathError('is not a regular file');
      if ((!isLast || wanted === 'folder') && !found.isDirectory()) throw new UnusablePathError('is not a folder');
    }
    return place;
  }
}

/** Nothing readable exists at a path. */
export class AbsentPathError extends UnusablePathError {}
