import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Unavailable } from '../../errors.ts';
import type { OpenRecording, RecordingFiles } from '../../features/recordings/recording-files.ts';

const keyForm = /^[0-9a-f]{40}$/;
const fileForm = /^([0-9a-f]{40})\.cast$/;
const newline = 0x0a;
/** Bytes of one step of the search for the end of the last complete line. */
const searchBytes = 64 * 1024;

/** Stores recordings as files in one folder, readable by the service's account only. All servers share the folder. */
export class RecordingFolder implements RecordingFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async create(key: string): Promise<OpenRecording> {
    const path = this.#pathOf(key);
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const file = await open(path, 'ax', 0o600);
    return { append: (text) => file.appendFile(text), close: () => file.close() };
  }

  async read(key: string) {
    const file = await this.#try('read', () => open(this.#pathOf(key), 'r'));
    if (!file) return undefined;
    try {
      const bytes = await endOfLastLine(file);
      // The stream closes the file.
      if (bytes > 0) return { stream: file.createReadStream({ start: 0, end: bytes - 1 }), bytes };
      await file.close();
      return undefined;
    } catch (error) {
      await file.close();
      throw new Unavailable('storage_unavailable', 'The recording cannot be read now', { cause: error });
    }
  }

  async status(key: string) {
    const found = await this.#try('read', () => stat(this.#pathOf(key)));
    return found && { bytes: found.size, changedAt: found.mtime };
  }

  async remove(key: string): Promise<void> {
    await this.#try('removed', () => rm(this.#pathOf(key), { force: true }));
  }

  async list(): Promise<string[]> {
    const names = (await this.#try('listed', () => readdir(this.#folder))) ?? [];
    return names.flatMap((name) => fileForm.exec(name)?.[1] ?? []);
  }

  /** @returns undefined where there is no such file. @throws Unavailable */
  async #try<T>(what: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
      throw new Unavailable('storage_unavailable', `The recording cannot be ${what} now`, { cause: error });
    }
  }

  /** @throws Error for anything but a key, which prevents path traversal */
  #pathOf(key: string): string {
    if (!keyForm.test(key)) throw new Error('This is not the key of a recording');
    return join(this.#folder, `${key}.cast`);
  }
}

/** @returns the length of the complete lines in bytes */
async function endOfLastLine(file: FileHandle): Promise<number> {
  const buffer = Buffer.alloc(searchBytes);
  for (let end = (await file.stat()).size; end > 0; ) {
    const start = Math.max(0, end - searchBytes);
    const { bytesRead } = await file.read(buffer, 0, end - start, start);
    const found = buffer.subarray(0, bytesRead).lastIndexOf(newline);
    if (found >= 0) return start + found + 1;
    end = start;
  }
  return 0;
}
