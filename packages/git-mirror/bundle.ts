import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { GitError } from './git-failure.ts';
import { endGroup, GitProgram } from './git-program.ts';

export type BundleOptions = {
  /** A folder of ours. Everything is deleted from it before the bundle is read. */
  home: string;
  path?: string | undefined;
  timeoutSeconds: number;
};

/**
 * A bundle of the branch `main` of a repository that is created for it and deleted.
 * @param history as `git fast-import` reads it, with at least one commit
 * @returns the bytes. It must be read or returned, which closes the file
 * @throws GitError
 */
export async function createBundle(
  options: BundleOptions,
  history: AsyncIterable<Uint8Array>,
): Promise<AsyncIterable<Uint8Array>> {
  const { home, path } = options;
  await using git = new GitProgram({ home, path });
  const timeoutMs = 1000 * options.timeoutSeconds;
  const directory = join(home, `bundle-${randomBytes(8).toString('hex')}.git`);
  const file = join(directory, 'main.bundle');
  try {
    await git.run(['init', '--bare', '--quiet', directory], { timeoutMs });
    await importInto(git, directory, history, timeoutMs);
    await git.run(['bundle', 'create', '--quiet', file, 'HEAD', 'main'], { timeoutMs, directory });
    const handle = await open(file);
    return handle.createReadStream();
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function importInto(
  git: GitProgram,
  directory: string,
  history: AsyncIterable<Uint8Array>,
  timeoutMs: number,
): Promise<void> {
  const child = git.spawn(['fast-import', '--quiet', '--done'], { directory });
  const timer = setTimeout(() => endGroup(child), timeoutMs);
  let complaints = '';
  child.stdout.resume();
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints = (complaints + text).slice(-2000);
  });
  const ended = once(child, 'close').catch(() => [-1]);
  try {
    await pipeline(Readable.from(withEnd(history), { objectMode: false }), child.stdin);
  } catch (error) {
    endGroup(child);
    await ended;
    throw complaints === '' ? error : new GitError('history_not_written', complaints);
  } finally {
    clearTimeout(timer);
  }
  const [code] = await ended;
  if (code !== 0) throw GitError.fromOutput(complaints);
}

/** Without its end, a history that stops early would be taken for a whole one. */
async function* withEnd(history: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* history;
  yield Buffer.from('done\n');
}
