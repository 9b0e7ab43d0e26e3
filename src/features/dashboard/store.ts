import { type RawBuilder, sql } from 'kysely';
import type { Static } from 'typebox';
import { statusSql } from '../../database/attempt-status.ts';
import type { Database } from '../../database/connection/connect.ts';
import { PreparedStatement, type StatementPool } from '../../database/connection/prepared-statement.ts';
import { hasShownResults } from '../../database/exam-session-rules.ts';
import {
  cursorId,
  cut,
  inOrderOfIds,
  isBackward,
  type Listed,
  type Page,
  rowsToRead,
} from '../../database/lists/keyset.ts';
import type { AnalyticsSchema } from './schema.ts';

type Entry<Type> = {
  id: number;
  type: Type;
  title: string;
  entity_type: string | null;
  entity_id: number | null;
  created_at: Date;
};
type Day = { date: string; themes_completed: number; attempts_submitted: number };
type Score = Static<typeof AnalyticsSchema>['scores'][number];

const maxScores = 500;
const today = sql`(now() at time zone 'UTC')::date`;
const dayOf = (moment: string) => sql`(${sql.ref(moment)} at time zone 'UTC')::date`;
/** The start of a period of that many days, the last of which is today. */
const beginOf = (days: number) => sql`((${today} - ${days - 1}::int)::timestamp at time zone 'UTC')`;
/** Rounded down, so that only a complete part is 100. */
const percent = (part: string, whole: string) =>
  sql`case when ${sql.ref(whole)} = 0 then 0 else floor(1000.0 * ${sql.ref(part)} / ${sql.ref(whole)}) / 10 end::float8`;

/** With the total in each row; a page without rows has it in a row without an entry. */
const readEntries = (name: string, sign: '<' | '>', order: 'asc' | 'desc') =>
  new PreparedStatement<
    [userId: number, types: readonly string[], cursor: number | null, limit: number, offset: number],
    Entry<string> & { total: number }
  >(
    name,
    `select counted.total, shown.* from (
      select count(*)::int as total from activity_log where user_id = $1 and type = any($2::text[])
    ) as counted left join (
      select id::float8 as id, type, title, entity_type, entity_id, created_at from activity_log
      where user_id = $1 and type = any($2::text[]) and ($3::bigint is null or activity_log.id ${sign} $3)
      order by activity_log.id ${order} limit $4::int offset $5::int
    ) as shown on true order by shown.id ${order}`,
  );
const readOlder = readEntries('activity_of_user', '<', 'desc');
const readNewer = readEntries('activity_of_user_backward', '>', 'asc');

/**
 * A user's activity in figures. Each method runs a fixed number of statements. Of the tables that grow with the number of users, each
 * statement reads only the user's own rows.
 */
export class DashboardStore {
  readonly #db: Database;
  readonly #pool: StatementPool;

  constructor(db: Database, pool: StatementPool) {
    this.#db = db;
    this.#pool = pool;
  }

  /** Newest first. @param types the types that are shown; the log contains the actions of administrators as well */
  async activity<Type extends string>(
    userId: number,
    types: readonly Type[],
    page: Page,
  ): Promise<Listed<Entry<Type>>> {
    const statement = isBackward(page) ? readNewer : readOlder;
    const cursor = cursorId(page) ?? null;
    const read = await statement.run(this.#pool, userId, types, cursor, rowsToRead(page), page.offset);
    const entries = read.filter(({ id }) => id !== null).map(({ total: _total, ...entry }) => entry as Entry<Type>);
    return { ...cut(entries, page), total: read[0]?.total ?? 0 };
  }

  /** The same without a count, all of it in parts. */
  async *activityParts(
    userId: number,
    types: readonly string[],
    size: number,
  ): AsyncGenerator<Pick<Entry<string>, 'type' | 'title' | 'created_at'>[]> {
    const entries = this.#db
      .selectFrom('activity_log')
      .select(['id', 'type', 'title', 'created_at'])
      .where('user_id', '=', userId)
      .where('type', '=', sql<string>`any(${types}::text[])`);
    for (let last: string | undefined; ; ) {
      const cursor = last === undefined ? {} : { cursor: { way: 'after', key: [last] } as const };
      const page: Page = { limit: size, offset: 0, ...cursor };
      const { rows, hasNext } = cut(await inOrderOfIds(entries, 'activity_log.id', page).execute(), page);
      if (rows.length > 0) yield rows;
      if (!hasNext) return;
      last = rows.at(-1)?.id;
    }
  }

  /** Those of the exams and laboratories that the user has passed, as kind and id. Results that are withheld do not count. */
  async passed(
    userId: number,
    exams: readonly number[],
    laboratories: readonly number[],
  ): Promise<ReadonlySet<string>> {
    if (exams.length + laboratories.length === 0) return new Set();
    const rows = await this.#all(sql<{ assessment: string }>`
      select distinct kind || ' ' || assessment_id as assessment from attempts
      where user_id = ${userId} and ${statusSql.isGraded()} and passed and ${sql.raw(hasShownResults)}
        and (kind = 'exam' and assessment_id = any(${[...exams]}::int[])
          or kind = 'laboratory' and assessment_id = any(${[...laboratories]}::int[]))`);
    return new Set(rows.map(({ assessment }) => assessment));
  }

  /** @param days the number of days, 1 for today alone */
  async analytics(userId: number, days: number) {
    const [perDay, scores] = await Promise.all([this.#all(daysOf(userId, days)), this.#all(scoresOf(userId, days))]);
    return { days: perDay, scores };
  }

  async #all<Row>(query: RawBuilder<Row>): Promise<Row[]> {
    return (await query.execute(this.#db)).rows;
  }
}

const daysOf = (userId: number, days: number) => sql<Day>`
  with completed as (
    select ${dayOf('completed_at')} as day, count(*)::int as number from theme_progress
    where user_id = ${userId} and completed_at >= ${beginOf(days)} group by 1
  ),
  submitted as (
    select ${dayOf('submitted_at')} as day, count(*)::int as number from attempts
    where user_id = ${userId} and ${statusSql.isGraded()} and submitted_at >= ${beginOf(days)} group by 1
  )
  select to_char(calendar.day, 'YYYY-MM-DD') as date,
    coalesce(completed.number, 0) as themes_completed, coalesce(submitted.number, 0) as attempts_submitted
  from (select ${today} - back as day from generate_series(0, ${days - 1}::int) as back) as calendar
  left join completed on completed.day = calendar.day
  left join submitted on submitted.day = calendar.day
  order by calendar.day`;

const scoresOf = (userId: number, days: number) => sql<Score>`
  select newest.*, ${percent('score', 'max_score')} as percent
  from (
    select id as attempt_id, kind, case kind when 'exam' then assessment_id end as exam_id,
      case kind when 'laboratory' then assessment_id end as laboratory_id, title, score, max_score, passed, submitted_at
    from attempts
    where user_id = ${userId} and ${statusSql.isGraded()} and submitted_at >= ${beginOf(days)}
      and not is_awaiting_grading and ${sql.raw(hasShownResults)}
    order by submitted_at desc, id desc limit ${maxScores}
  ) as newest
  order by submitted_at, attempt_id`;
