import type { DeletedKind } from '../../database/tables.ts';
import type { Caller } from '../../http/access/access.ts';
import type { Page } from '../../http/lists/paging.ts';
import type { DeletionRow, DeletionStore, Restored } from './store.ts';

type DeletionParts = {
  store: DeletionStore;
  /** Called after something was restored: cached copies are out of date. */
  onRestore: () => void;
};

/** What was deleted, and can be restored. */
export class DeletionService {
  readonly #store: DeletionStore;
  readonly #onRestore: () => void;

  constructor({ store, onRestore }: DeletionParts) {
    this.#store = store;
    this.#onRestore = onRestore;
  }

  /** The newest first, without notes. */
  async list(page: Page): Promise<{ rows: DeletionRow[]; total: number }> {
    return await this.#store.list(page);
  }

  /** @throws see DeletionStore.undo */
  async undo(caller: Caller, kind: DeletedKind, entityId: number): Promise<Restored> {
    const restored = await this.#store.undo(caller, kind, entityId);
    this.#onRestore();
    return restored;
  }

  /** @throws see DeletionStore.restore */
  async restore(caller: Caller, id: number): Promise<Restored> {
    const restored = await this.#store.restore(caller.id, id);
    this.#onRestore();
    return restored;
  }

  /** @throws NotFoundError */
  async discard(caller: Caller, id: number): Promise<void> {
    await this.#store.discard(caller.id, id);
  }
}
