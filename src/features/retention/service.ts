import type { UserAdminService } from '../auth/users/service.ts';
import type { Kind, RetentionStore, Round } from './store.ts';

/** Days that each kind is kept. Null: until the account is deleted. */
export type Retention = { activity_days: number | null; work_days: number | null; account_days: number | null };

/** Removes what the installation keeps no longer. */
export class RetentionService {
  readonly #store: RetentionStore;
  readonly #users: Pick<UserAdminService, 'deleteUnused'>;

  constructor(store: RetentionStore, users: Pick<UserAdminService, 'deleteUnused'>) {
    this.#store = store;
    this.#users = users;
  }

  /** What would be removed now with these settings. */
  async due({ activity_days, work_days, account_days }: Partial<Retention>): Promise<Record<Kind, number>> {
    return await this.#store.due({
      ...{ activity: activity_days ?? null, work: work_days ?? null, accounts: account_days ?? null },
    });
  }

  /** One process does it at a time. */
  async run(): Promise<void> {
    const [store, round]: [RetentionStore, Round] = [this.#store, {}];
    await store.removeActivity(round);
    await store.removeWork(round);
    await store.announce();
    for (let ids = await store.unused(0); ids.length > 0; ids = await store.unused(ids.at(-1) ?? 0))
      for (const id of ids)
        if (await this.#users.deleteUnused(id, (trx) => store.isUnused(trx, id))) await store.noteAccount(round);
  }
}
