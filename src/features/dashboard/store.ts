import { type RawBuilder, sql } from 'kysely';
import { Batch, inOrder } from '../../database/connection/batch.ts';
import type { Database } from '../../database/connection/connect.ts';
import { PreparedStatement, type StatementPool } from '../../database/connection/prepared-statement.ts';
import { hasShownResults } from '../../database/exam-session-rules.ts';
import { cursorId, cut, isBackward, type Listed, type Page, rowsToRead } from '../../database/lists/keyset.ts';
import type { AttemptKind } from '../../database/tables.ts';

type Figures = {
  exams_passed: number;
  exams_attempted: number;
  average_score_percent: number | null;
  laboratories_passed: number;
  active_containers: number;
  /** The completed themes, and the days on which something was completed or submitted, ascending: separated by commas. */
  theme_ids: string | null;
  /** Days since 1970 in UTC. */
  days: string | null;
  today: number;
};
type Entry<Type> = {
  id: number;
  type: Type;
  title: string;
  entity_type: string | null;
  entity_id: number | null;
  created_at: Date;
};
type Day = { date: string; themes_completed: number; attempts_submitted: number };
type Score = {
  attempt_id: number;
  kind: AttemptKind;
  exam_id: number | null;
  laboratory_id: number | null;
  title: string;
  score: number;
  max_score: number;
  percent: number;
  passed: boolean;
  submitted_at: Date;
};

const maxScores = 500;
const today = sql`(now() at time zone 'UTC')::date`;
const dayOf = (moment: string) => sql`(${sql.ref(moment)} at time zone 'UTC')::date`;
/** The start of a period of that many days, the last of which is today. */
const beginOf = (days: number) => sql`((${today} - ${days - 1}::int)::timestamp at time zone 'UTC')`;
/** Rounded down, so that only a complete part is 100. */
const percent = (part: string, whole: string) =>
  sql`case when ${sql.ref(whole)} = 0 then 0 else floor(1000.0 * ${sql.ref(part)} / ${sql.ref(whole)}) / 10 end::float8`;

/**
 * For each user of the batch the figures. Results that the session of an exam withholds do not count. Subjects that were deleted since count
 * by the title that their attempts store.
 */
const readFigures = new PreparedStatement<[userIds: number[]], Figures & { place: number }>(
  'dashboard_stats',
  `select place::integer, figures.*, (now() at time zone 'UTC')::date - date '1970-01-01' as today
  from unnest($1::integer[]) with ordinality as asked (user_id, place) cross join lateral (
    with completed as materialized (
      select theme_id, (completed_at at time zone 'UTC')::date - date '1970-01-01' as day
      from theme_progress where user_id = asked.user_id and completed
    ), own as materialized (
      select kind, passed and ${hasShownResults} as passed, case when ${hasShownResults} then score end as score, max_score, coalesce(coalesce(exam_id, laboratory_id)::text, 'deleted ' || title) as subject,
        case when status in ('finished', 'expired') then (submitted_at at time zone 'UTC')::date - date '1970-01-01' end as day
      from attempts where user_id = asked.user_id and status <> 'starting'
    )
    select count(distinct subject) filter (where kind = 'exam')::int as exams_attempted,
      count(distinct subject) filter (where kind = 'exam' and passed)::int as exams_passed,
      count(distinct subject) filter (where kind = 'laboratory' and passed)::int as laboratories_passed,
      round(avg(100.0 * score / nullif(max_score, 0)) filter (where kind = 'exam'), 1)::float8 as average_score_percent,
      (select string_agg(theme_id::text, ',') from completed) as theme_ids,
      (select string_agg(day::text, ',' order by day) from (
        select day from completed union select day from own where day is not null
      ) as days) as days,
      (select count(*)::int from containers where user_id = asked.user_id and status in ('creating', 'running')) as active_containers
    from own
  ) as figures`,
);

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
  readonly #figuresOf: Batch<number, Figures>;

  constructor(db: Database, pool: StatementPool) {
    this.#db = db;
    this.#pool = pool;
    this.#figuresOf = new Batch(async (userIds) =>
      inOrder(await readFigures.run(pool, [...userIds])).map(({ place: _place, ...figures }) => figures),
    );
  }

  /** Concurrent reads share a statement. */
  async stats(userId: number): Promise<Figures> {
    return await this.#figuresOf.get(userId);
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

  /** Those of the exams and laboratories that the user has passed, as kind and id. Results that are withheld do not count. */
  async passed(
    userId: number,
    exams: readonly number[],
    laboratories: readonly number[],
  ): Promise<ReadonlySet<string>> {
    if (exams.length + laboratories.length === 0) return new Set();
    const rows = await this.#all(sql<{ subject: string }>`
      select distinct kind || ' ' || coalesce(exam_id, laboratory_id) as subject from attempts
      where user_id = ${userId} and status in ('finished', 'expired') and passed and ${sql.raw(hasShownResults)}
        and (exam_id = any(${[...exams]}::int[]) or laboratory_id = any(${[...laboratories]}::int[]))`);
    return new Set(rows.map(({ subject }) => subject));
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
    where user_id = ${userId} and status in ('finished', 'expired') and submitted_at >= ${beginOf(days)} group by 1
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
    select id as attempt_id, kind, exam_id, laboratory_id, title, score, max_score, passed, submitted_at
    from attempts
    where user_id = ${userId} and status in ('finished', 'expired') and submitted_at >= ${beginOf(days)}
      and ${sql.raw(hasShownResults)}
    order by submitted_at desc, id desc limit ${maxScores}
  ) as newest
  order by submitted_at, attempt_id`;
