import { sql } from 'kysely';
import { logActivity } from '../../database/activity-log.ts';
import type { Database } from '../../database/connection/connect.ts';
import type { ContainerKind, ContainerStatus } from '../../database/tables.ts';
import type { Order, Page } from '../../http/lists/paging.ts';
import type { ContainerRow } from '../capacity/store.ts';

/** With the username of the owner. */
export type OwnedContainer = ContainerRow & { username: string };
export type ContainerFilter = { user_id?: number; kind?: ContainerKind; status?: ContainerStatus };

export type ContainerSort = 'created_at' | 'name' | 'username' | 'status' | 'expires_at';
/** There are few containers, so their order needs no indexes. */
const sortedBy = {
  created_at: 'containers.id',
  name: 'containers.name',
  username: 'lower(users.username)',
  status: 'containers.status',
  expires_at: 'containers.expires_at',
} as const satisfies Record<ContainerSort, string>;

/** Containers of all users, for administrators. Warm containers and those being removed are excluded. */
export class ContainerAdminStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async list(
    { user_id, kind, status }: ContainerFilter,
    page: Page,
    { by, isDescending }: Order<ContainerSort>,
  ): Promise<{ rows: OwnedContainer[]; total: number }> {
    let query = this.#shown();
    if (user_id !== undefined) query = query.where('containers.user_id', '=', user_id);
    if (kind !== undefined) query = query.where('containers.kind', '=', kind);
    if (status !== undefined) query = query.where('containers.status', '=', status);
    const way = sql.raw(isDescending ? 'desc' : 'asc');
    const rows = await query
      .selectAll('containers')
      .select('users.username')
      .orderBy(sql`${sql.raw(sortedBy[by])} ${way} nulls last, containers.id ${way}`)
      .limit(page.limit)
      .offset(page.offset)
      .execute();
    const { total } = await query.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow();
    return { rows, total };
  }

  async byId(id: number): Promise<OwnedContainer | undefined> {
    return await this.#shown()
      .selectAll('containers')
      .select('users.username')
      .where('containers.id', '=', id)
      .executeTakeFirst();
  }

  /** Gives a sandbox up and logs it. @returns undefined when it no longer exists */
  async giveUp(actorId: number, id: number): Promise<ContainerRow | undefined> {
    return await this.#db.transaction().execute(async (trx) => {
      const before = await trx
        .selectFrom('containers')
        .select('name')
        .where('id', '=', id)
        .where('kind', '=', 'sandbox')
        .where('status', '<>', 'removing')
        .forUpdate()
        .executeTakeFirst();
      if (!before) return undefined;
      const row = await trx
        .updateTable('containers')
        .set({ status: 'removing', name: sql<string>`'removing-' || uid` })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow();
      const entity = { entityType: 'container', entityId: id, userId: row.user_id };
      await logActivity(trx, { actorId, type: 'admin_container_delete', title: before.name, ...entity });
      return row;
    });
  }

  #shown() {
    return this.#db
      .selectFrom('containers')
      .innerJoin('users', 'users.id', 'containers.user_id')
      .where('containers.status', 'not in', ['removing', 'warm', 'warming']);
  }
}
