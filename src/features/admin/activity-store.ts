import { type Selectable, sql } from 'kysely';
import type { Database } from '../../database/connection/connect.ts';
import { type ActivityFilter, ActivityList } from '../../database/lists/activity-list.ts';
import { attemptGroups } from '../../database/lists/attempt-counts.ts';
import type { Listed, Page } from '../../database/lists/keyset.ts';
import { userGroups } from '../../database/lists/user-counts.ts';
import type { ActivityLogTable } from '../../database/tables.ts';

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
  readonly #list: ActivityList;

  constructor(db: Database) {
    this.#db = db;
    this.#list = new ActivityList(db);
  }

  /** Newest first, unless `isOldestFirst`. */
  async list(filter: ActivityFilter, page: Page, isOldestFirst: boolean): Promise<Listed<ActivityEntry>> {
    const listed = await this.#list.page(filter, page, isOldestFirst);
    const rows = await this.#db
      .selectFrom('activity_log')
      .leftJoin('users as concerned', 'concerned.id', 'activity_log.user_id')
      .leftJoin('users as actors', 'actors.id', 'activity_log.actor_id')
      .selectAll('activity_log')
      .select(['concerned.username', 'actors.username as actor_username'])
      .where('activity_log.id', '=', sql<string>`any(${listed.rows}::bigint[])`)
      .orderBy('activity_log.id', isOldestFirst ? 'asc' : 'desc')
      .execute();
    return { ...listed, rows: rows.map((row) => ({ ...row, id: Number(row.id) })) };
  }

  /** Several kinds of counts in four queries. Those of users and attempts are kept. */
  async stats() {
    const count = sql<number>`count(*)::int`.as('count');
    const [users, containers, attempts, activity] = await Promise.all([
      userGroups(this.#db, {}),
      this.#db
        .selectFrom('containers')
        .select([sql<string>`case when user_id is null then 'warm' else kind end`.as('name'), count])
        .where('status', 'in', ['running', 'warm'])
        // By position: `name` would refer to the column of that name.
        .groupBy(sql`1`)
        .execute(),
      attemptGroups(this.#db, {}),
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
      users: summed(users, 'role'),
      containers: byName(containers),
      attempts: summed(attempts, 'status'),
      activity: byName(activity),
    };
  }
}

const byName = (rows: { name: string; count: number }[]): Record<string, number> =>
  Object.fromEntries(rows.map(({ name, count }) => [name, count]));

function summed<Name extends string>(
  groups: readonly ({ count: number } & Record<Name, string>)[],
  name: Name,
): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const group of groups) sums[group[name]] = (sums[group[name]] ?? 0) + group.count;
  return sums;
}
