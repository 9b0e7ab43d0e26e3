import { ConflictError, NotFoundError } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import type { ContainerRemovals } from '../capacity/removals.ts';
import type { ContainerAdminStore, OwnedContainer } from './container-admin-store.ts';

/** Containers of all users, for administrators. */
export class ContainerAdminService {
  readonly #store: ContainerAdminStore;
  readonly #removals: Pick<ContainerRemovals, 'removeGivenUp'>;

  constructor({ store, removals }: { store: ContainerAdminStore; removals: Pick<ContainerRemovals, 'removeGivenUp'> }) {
    this.#store = store;
    this.#removals = removals;
  }

  async list(...wanted: Parameters<ContainerAdminStore['list']>): ReturnType<ContainerAdminStore['list']> {
    return await this.#store.list(...wanted);
  }

  /** @throws NotFoundError */
  async get(id: number): Promise<OwnedContainer> {
    const row = await this.#store.byId(id);
    if (!row) throw new NotFoundError('not_found', 'Container not found');
    return row;
  }

  /** @throws NotFoundError, ConflictError for a container of an attempt */
  async delete(caller: Caller, id: number): Promise<void> {
    const { kind } = await this.get(id);
    if (kind !== 'sandbox')
      throw new ConflictError('container_of_attempt', 'This container belongs to an attempt and is removed with it');
    const row = await this.#store.giveUp(caller.id, id);
    if (!row) throw new NotFoundError('not_found', 'Container not found');
    this.#removals.removeGivenUp([row]);
  }
}
