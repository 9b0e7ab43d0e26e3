import { Readable } from 'node:stream';
import { ConflictError } from '../../errors.ts';
import type { Cluster } from './cluster.ts';
import type { HomeStore } from './home-store.ts';
import { IncompleteHomeError, pack, readFromPod, restoreHome, transferTimeout, whole } from './home-transfer.ts';
import { uidOf } from './pod-manifest.ts';

/** The name of a home that was saved while its container ran. It is older than the one that is saved at a stop. */
export const whileRunning = (uid: string): string => `${uid}${suffix}`;
const suffix = '-running';

/** Bytes of the first line of output: a mark in hexadecimal digits, and the end of the line. */
const markBytes = 33;

/** The exit code for a home that is too large, so that it is not transferred in vain. */
const tooLarge = 75;

/**
 * Prints the mark of a home folder, then the archive unless the mark is the given one. Every change of a file changes the time of its
 * inode, which nobody can set. The mark is taken first, so a change during the transfer is saved the next time.
 */
const packIfChanged = (mark: string, limit: number): string =>
  `mark=$(/.grader/bin/busybox find /home/student -xdev -exec /.grader/bin/busybox stat -c '%z %s %i %n' {} + 2>/dev/null | /.grader/bin/busybox md5sum)
mark=\${mark%% *}
echo "$mark"
[[ $mark == '${mark}' ]] && exit
read -r kib _ < <(/.grader/bin/busybox du -skx /home/student 2>/dev/null)
((kib * 1024 > ${limit})) && exit ${tooLarge}
${pack(limit)}`;

/** The homes of containers that run. They are saved from time to time, because the Pod of a lost node is lost with its files. */
export class RunningHomes {
  readonly #cluster: Cluster;
  readonly #homes: HomeStore;

  constructor(cluster: Cluster, homes: HomeStore) {
    this.#cluster = cluster;
    this.#homes = homes;
  }

  /** @see HomeKeeper.save */
  async save(ref: string, before: string | null): Promise<{ mark: string; isSaved: boolean }> {
    const signal = AbortSignal.timeout(transferTimeout);
    const known = before !== null && /^[0-9a-f]{32}$/.test(before) ? before : '';
    const script = packIfChanged(known, this.#homes.limit);
    return await readFromPod(this.#cluster, ref, { script, signal }, async ({ stream, ended }) => {
      const chunks = stream.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
      const { mark, rest } = await readMark(chunks);
      if (mark === known) {
        await chunks.return?.();
        return { mark, isSaved: false };
      }
      const archive = Readable.from(whole(continued(rest, chunks), ended));
      try {
        await this.#homes.save(whileRunning(uidOf(ref)), archive);
      } catch (error) {
        if (error instanceof IncompleteHomeError && error.code === tooLarge)
          throw new ConflictError('home_too_large', 'The home folder is too large to be saved');
        throw error;
      }
      return { mark, isSaved: true };
    });
  }

  /** Brings the last home of a lost container into a running Pod, and keeps it as that Pod's. @returns false if there is none */
  async restore(lostRef: string, ref: string): Promise<boolean> {
    const signal = AbortSignal.timeout(transferTimeout);
    const lost = uidOf(lostRef);
    for (const name of [whileRunning(lost), lost]) {
      const home = await this.#homes.open(name);
      if (!home) continue;
      await restoreHome(this.#cluster, ref, home, signal);
      const copied = await this.#homes.open(name);
      if (copied) await this.#homes.save(whileRunning(uidOf(ref)), copied.content);
      return true;
    }
    return false;
  }

  async forget(uid: string): Promise<void> {
    await Promise.all([this.#homes.remove(uid), this.#homes.remove(whileRunning(uid))]);
  }

  async *saved(): AsyncGenerator<{ uid: string; savedAt: Date }> {
    for await (const { name, savedAt } of this.#homes.list())
      yield { uid: name.endsWith(suffix) ? name.slice(0, -suffix.length) : name, savedAt };
  }
}

async function readMark(chunks: AsyncIterator<Buffer>): Promise<{ mark: string; rest: Buffer }> {
  let read: Buffer = Buffer.alloc(0);
  while (read.length < markBytes) {
    const { done, value } = await chunks.next();
    if (done) throw new Error('the home folder could not be read');
    read = Buffer.concat([read, value]);
  }
  const mark = read.toString('latin1', 0, markBytes - 1);
  if (!/^[0-9a-f]{32}$/.test(mark)) throw new Error('the home folder could not be read');
  return { mark, rest: read.subarray(markBytes) };
}

async function* continued(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  if (first.length > 0) yield first;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}
