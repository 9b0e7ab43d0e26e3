import type { Size } from '../protocol.ts';
import type { TerminalSession } from '../session.ts';
import type { HeldStore } from './store.ts';

export type HeldRecordsParts = {
  store: Pick<HeldStore, 'add' | 'release' | 'remove'>;
  log: { warn: (details: object, message: string) => void };
};

/**
 * The records of the shells that outlive this process. No change of one fails a terminal: a shell without a record ends with its
 * process, and one that has ended without a change is found gone later.
 */
export class HeldRecords {
  readonly #parts: HeldRecordsParts;
  readonly #changes = new Set<Promise<void>>();

  constructor(parts: HeldRecordsParts) {
    this.#parts = parts;
  }

  async add({ id, containerId, userId }: TerminalSession, holder: string, size: Size): Promise<void> {
    await this.#change(
      containerId,
      this.#parts.store.add({ id, container_id: containerId, user_id: userId, holder, ...size }),
    );
  }

  /** A session has ended here. @param isKept whether its shell continues in the container */
  end({ id, containerId }: TerminalSession, isKept: boolean): void {
    const { store } = this.#parts;
    const change = this.#change(containerId, isKept ? store.release(id) : store.remove(id)).finally(() =>
      this.#changes.delete(change),
    );
    this.#changes.add(change);
  }

  /** Resolves when the records of all sessions that have ended are changed. */
  async settled(): Promise<void> {
    await Promise.all(this.#changes);
  }

  async #change(container_id: number, change: Promise<void>): Promise<void> {
    await change.catch((err: unknown) =>
      this.#parts.log.warn({ err, container_id }, 'the record of a terminal could not be changed'),
    );
  }
}
