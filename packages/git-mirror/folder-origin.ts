import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { GitError } from './git-failure.ts';
import type { GitProgram } from './git-program.ts';
import { headReference, type Origin } from './origin.ts';

const timeoutMs = 60_000;
const date = '2000-01-01T00:00:00Z';

/** Whose commit it is. Name and date are fixed, so that the same files are the same commit on every machine. */
export type Signature = { name: string; email: string; message: string };

/**
 * A folder of files, imported into the mirror as one commit without a parent. Hidden files, links and
 * special files are skipped. Contents are imported byte for byte.
 */
export class FolderOrigin implements Origin {
  readonly isLocal = true;
  readonly #git: GitProgram;
  readonly #folder: string;
  readonly #signature: Signature;

  constructor({ git, folder, signature }: { git: GitProgram; folder: string; signature: Signature }) {
    this.#git = git;
    this.#folder = folder;
    this.#signature = signature;
  }

  async bringInto(directory: string): Promise<'present'> {
    const tree = await this.#writeTree(directory, await this.#files());
    const { name, email, message } = this.#signature;
    const environment = {
      ...{ GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_AUTHOR_DATE: date },
      ...{ GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email, GIT_COMMITTER_DATE: date },
    };
    const commit = await this.#git.run(['commit-tree', '-m', message, tree], { directory, timeoutMs, environment });
    await this.#git.run(['update-ref', headReference, commit.trim()], { directory, timeoutMs });
    return 'present';
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#git[Symbol.asyncDispose]();
  }

  /** Paths relative to the folder, in a fixed order, with `/` between the steps. */
  async #files(): Promise<string[]> {
    try {
      const entries = await readdir(this.#folder, { withFileTypes: true, recursive: true });
      return entries
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(join(this.#folder, sep).length).split(sep))
        .filter((steps) => !steps.some((step) => step.startsWith('.') || /[\r\n]/.test(step)))
        .map((steps) => steps.join('/'))
        .sort();
    } catch (error) {
      throw new GitError('folder_unreadable', String(error));
    }
  }

  async #writeTree(directory: string, files: string[]): Promise<string> {
    const index = join(directory, `index.${randomBytes(6).toString('hex')}`);
    const environment = { GIT_INDEX_FILE: index };
    try {
      const paths = files.map((file) => `${join(this.#folder, file)}\n`).join('');
      const hashed = await this.#git.run(['hash-object', '-w', '--no-filters', '--stdin-paths'], {
        directory,
        timeoutMs,
        input: paths,
      });
      const ids = hashed.split('\n');
      const entries = files.map((file, position) => `100644 ${ids[position]}\t${file}\0`).join('');
      await this.#git.run(['read-tree', '--empty'], { directory, timeoutMs, environment });
      await this.#git.run(['update-index', '-z', '--index-info'], {
        directory,
        timeoutMs,
        environment,
        input: entries,
      });
      return (await this.#git.run(['write-tree'], { directory, timeoutMs, environment })).trim();
    } finally {
      await rm(index, { force: true });
    }
  }
}
