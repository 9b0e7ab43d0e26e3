import type { UserAdminService } from '../auth/users/service.ts';
import type { Due, Retention, RetentionStore, Round } from './store.ts';

/** Removes what the installation keeps no longer. */
export class RetentionService {
  readonly #store: RetentionStore;
  readonly #users: Pick<UserAdminService, 'deleteUnused'>;

  constructor(store: RetentionStore, users: Pick<UserAdminService, 'deleteUnused'>) {
    this.#store = store;
    this.#users = users;
  }

  /** What would be removed now with these settings. */
  async due(days: Partial<Retention>): Promise<Due> {
    return await this.#store.due(days);
  }

  /** One process does it at a time. */
  async run(): Promise<void> {
    const [store, round]: [RetentionStore, Round] = [this.#store, {}];
    await store.removeActivity(round);
    await store.removeWork(round);
    await store.announce();
    for (let ids = await store.unused(0); ids.length > 0; ids = await store.unused(ids.at(-1) ?? 0))
      for (const id of ids) await this.#users.deleteUnused(id, (trx) => store.noteUnused(trx, round, id));
  }
}
