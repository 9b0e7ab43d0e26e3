import { constants } from 'node:fs';
import { mkdtemp, open, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../git-repository.ts';

/** A disk of a few megabytes in memory, which a test fills. */
export class SmallDisk implements AsyncDisposable {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** @returns the reason why it cannot be mounted here */
  static async mount(megabytes: number): Promise<SmallDisk | { reason: string }> {
    const folder = await mkdtemp(join(tmpdir(), 'platform-small-disk-'));
    try {
      await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'platform-test', folder]);
      return new SmallDisk(folder);
    } catch (error) {
      await rmdir(folder);
      return { reason: `no small disk can be mounted: ${error instanceof Error ? error.message : error}` };
    }
  }

  /** Fills the free space to the last page. */
  async fill(): Promise<void> {
    await using file = await open(this.#ballast, constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND, 0o600);
    for (let size = 1024 * 1024; size >= 4096; ) {
      try {
        await file.appendFile(Buffer.alloc(size));
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
        size /= 2;
      }
    }
  }

  async free(): Promise<void> {
    await rm(this.#ballast, { force: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // A lazy unmount: programs that a failed test left running do not prevent it.
    await run('umount', ['-l', this.folder]);
    await rmdir(this.folder);
  }

  get #ballast(): string {
    return join(this.folder, 'ballast');
  }
}
