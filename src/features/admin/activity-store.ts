import { type Selectable, sql } from 'kysely';
import { statusSql } from '../../database/attempt-status.ts';
import type { Database } from '../../database/connection/connect.ts';
import { type ActivityFilter, ActivityList } from '../../database/lists/activity-list.ts';
import type { Listed, Page } from '../../database/lists/keyset.ts';
import { LongStatistic } from '../../database/lists/long-statistic.ts';
import type { ActivityLogTable, Role } from '../../database/tables.ts';
import type { AttemptStatus } from '../../values/attempt-status.ts';

export type ActivityEntry = Omit<Selectable<ActivityLogTable>, 'id'> & {
  id: number;
  username: string | null;
  actor_username: string | null;
};

/** How many of the newest entries are scanned for the last day's activity. */
const newestEntries = 50_000;

const count = sql<number>`count(*)::int`.as('count');

/** The activity of all users, and the state of the service. */
export class ActivityStore {
  readonly #db: Database;
  readonly #list: ActivityList;
  readonly #attempts: LongStatistic<{ name: AttemptStatus; count: number }>;
  readonly #users: LongStatistic<{ name: Role; count: number }>;

  constructor(db: Database) {
    this.#db = db;
    this.#list = new ActivityList(db);
    this.#users = new LongStatistic(db, 'users', () =>
      db
        .selectFrom('users')
        .select(['role as name', count])
        .where('id', '>', 0)
        .where('is_pseudonym', '=', false)
        .groupBy('role')
        .execute(),
    );
    this.#attempts = new LongStatistic(db, 'attempts', () =>
      db
        .selectFrom('attempts')
        .select(['status as name', count])
        .where(statusSql.isListed())
        .where('user_id', '>', 0)
        .groupBy('status')
        .execute(),
    );
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

  /** Several kinds of counts. Those of many attempts and of many users can be a minute old. */
  async stats() {
    const [users, containers, attempts, activity] = await Promise.all([
      this.#users.rows(),
      this.#db
        .selectFrom('containers')
        .select([sql<string>`case when user_id is null then 'warm' else kind end`.as('name'), count])
        .where('status', 'in', ['running', 'warm'])
        // By position: `name` would refer to the column of that name.
        .groupBy(sql`1`)
        .execute(),
      this.#attempts.rows(),
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

const byName = (rows: readonly { name: string; count: number }[]): Record<string, number> =>
  Object.fromEntries(rows.map(({ name, count }) => [name, count]));
