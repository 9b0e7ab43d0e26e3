import { type Selectable, sql } from 'kysely';
import type { Database } from '../../database/connection/connect.ts';
import type { ActivityLogTable } from '../../database/tables.ts';
import type { Page } from '../../http/paging.ts';

export type ActivityFilter = {
  user_id?: number;
  actor_id?: number;
  type?: string;
  entity_type?: string;
  entity_id?: number;
};
export type ActivityEntry = Omit<Selectable<ActivityLogTable>, 'id'> & {
  id: number;
  username: string | null;
  actor_username: string | null;
};

/** How many of the newest entries are scanned for the last day's activity. */
const newestEntries = 50_000;

/** The activity of all users, and the state of the service. */
export class ActivityStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Newest first. */
  async list(filter: ActivityFilter, page: Page): Promise<{ rows: ActivityEntry[]; total: number }> {
    let query = this.#db.selectFrom('activity_log');
    for (const [column, value] of Object.entries(filter)) {
      query = query.where(`activity_log.${column as keyof ActivityFilter}`, '=', value);
    }
    const rows = await query
      .leftJoin('users as concerned', 'concerned.id', 'activity_log.user_id')
      .leftJoin('users as actors', 'actors.id', 'activity_log.actor_id')
      .selectAll('activity_log')
      .select(['concerned.username', 'actors.username as actor_username'])
      .orderBy('activity_log.id', 'desc')
      .limit(page.limit)
      .offset(page.offset)
      .execute();
    const { total } = await query.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow();
    return { rows: rows.map((row) => ({ ...row, id: Number(row.id) })), total };
  }

  /** Several kinds of counts in four queries. */
  async stats() {
    const count = sql<number>`count(*)::int`.as('count');
    const [users, containers, attempts, activity] = await Promise.all([
      this.#db.selectFrom('users').select(['role as name', count]).groupBy('role').execute(),
      this.#db
        .selectFrom('containers')
        .select([sql<string>`case when user_id is null then 'warm' else kind end`.as('name'), count])
        .where('status', 'in', ['running', 'warm'])
        // By position: `name` would refer to the column of that name.
        .groupBy(sql`1`)
        .execute(),
      this.#db
        .selectFrom('attempts')
        .select(['status as name', count])
        .where('status', '<>', 'starting')
        .groupBy('status')
        .execute(),
      this.#db
        .selectFrom((eb) =>
          eb
            .selectFrom('activity_log')
            .select(['type', 'created_at'])
            .orderBy('id', 'desc')
            .limit(newestEntries)
            .as('newest'),
        )
        .select(['type as name', count])
        .where('created_at', '>', sql<Date>`now() - interval '24 hours'`)
        .groupBy('type')
        .execute(),
    ]);
    return {
      users: byName(users),
      containers: byName(containers),
      attempts: byName(attempts),
      activity: byName(activity),
    };
  }
}

const byName = (rows: { name: string; count: number }[]): Record<string, number> =>
  Object.fromEntries(rows.map(({ name, count }) => [name, count]));
