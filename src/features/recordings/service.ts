import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { NotFoundError } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import type { Page } from '../../http/lists/paging.ts';
import type { Size } from './cast.ts';
import { Recorder } from './recorder.ts';
import type { RecordingFiles } from './recording-files.ts';
import type { RecordingRow, RecordingStore } from './store.ts';

export type RecordingParts = {
  store: RecordingStore;
  files: RecordingFiles;
  log: FastifyBaseLogger;
  config: { maxBytes: number };
};

/** Milliseconds that the last lines may take at the end of the process when the disk hangs. */
const endPatience = 3000;

/** The recordings of exam attempts' terminals. Disposing waits for pending writes, so end the terminals first. */
export class RecordingService implements AsyncDisposable {
  readonly #parts: RecordingParts;
  readonly #running = new Set<Promise<void>>();

  constructor(parts: RecordingParts) {
    this.#parts = parts;
  }

  /** Begins to record a terminal of an exam's attempt. Never fails: an error is logged, and the recording ends early. */
  record(attemptId: number, size: Size): Recorder {
    const { store, files, log, config } = this.#parts;
    const key = randomBytes(20).toString('hex');
    let id: number | undefined;
    const recorder = new Recorder({
      size,
      maxBytes: config.maxBytes,
      open: async (started_at) => {
        const begun = await store.begin(attemptId, { key, ...size, started_at });
        if (!begun) return undefined;
        id = begun.id;
        return { file: await files.create(key), title: `${begun.title}, attempt ${attemptId}` };
      },
      onFailure: (err) => log.warn({ err, attempt: attemptId }, 'the recording of a terminal ended early'),
    });
    const running = recorder.finished
      .then(async ({ isTruncated }) => {
        if (id !== undefined) await this.#end(id, key, isTruncated);
      })
      .catch((err: unknown) => log.warn({ err, attempt: attemptId }, 'the end of a recording could not be stored'))
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
    return recorder;
  }

  /** Ordered by start. For a recording in progress, the current size, or 0 where that cannot be read. @throws NotFoundError */
  async list(caller: Caller, attemptId: number, page: Page): Promise<{ rows: RecordingRow[]; total: number }> {
    const found = await this.#parts.store.ofAttempt(caller, attemptId, page);
    if (!found) throw new NotFoundError('not_found', 'Exam attempt not found');
    const { rows, total } = found;
    const current = async (row: RecordingRow): Promise<RecordingRow> =>
      row.ended_at === null ? { ...row, bytes: await this.#bytesOf(row.key) } : row;
    return { rows: await Promise.all(rows.map(current)), total };
  }

  /** @throws NotFoundError, UnavailableError */
  async open(caller: Caller, id: number) {
    const { store, files } = this.#parts;
    const row = await store.byId(caller, id);
    const content = row && (await files.read(row.key));
    if (!row || !content) throw new NotFoundError('not_found', 'Recording not found');
    return { ...content, name: `attempt-${row.attempt_id}-${row.number}.cast` };
  }

  /** Removes the files of deleted recordings. Never fails: the next sweep removes what is left. */
  async discard(keys: readonly string[]): Promise<void> {
    const { files, log } = this.#parts;
    for (const key of keys) {
      await files
        .remove(key)
        .catch((err: unknown) => log.warn({ err }, 'the file of a recording could not be removed'));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.race([Promise.all(this.#running), delay(endPatience, undefined, { ref: false })]);
  }

  async #end(id: number, key: string, is_truncated: boolean): Promise<void> {
    const { store } = this.#parts;
    const bytes = await this.#bytesOf(key);
    // Its attempt was deleted in the meantime, with its user.
    if (!(await store.end(id, { ended_at: new Date(), bytes, is_truncated }))) await this.discard([key]);
  }
  /** A file that cannot be read now does not block the list. */
  async #bytesOf(key: string): Promise<number> {
    const { files, log } = this.#parts;
    const status = await files.status(key).catch((err: unknown) => {
      log.warn({ err }, 'the file of a recording could not be read');
      return undefined;
    });
    return status?.bytes ?? 0;
  }
}
