import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../database/connection/connect.ts';
import type { AttemptKind } from '../../database/tables.ts';
import type { Page } from '../../http/paging.ts';

/** Whose figures are read, and whether inactive courses and sections count, as in the tree of courses. */
export type Reader = { userId: number; seesInactive: boolean };

type ThemeFigures = { completed_themes: number; total_themes: number; percent: number; minutes_learned: number };
type AttemptFigures = {
  exams_passed: number;
  exams_attempted: number;
  average_score_percent: number | null;
  laboratories_passed: number;
};
type Streaks = { current_streak_days: number; longest_streak_days: number };
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
const completion = (userId: number) =>
  sql`left join theme_progress on theme_progress.theme_id = themes.id and theme_progress.user_id = ${userId}`;
const visible = ({ seesInactive }: Reader) =>
  seesInactive ? sql`true` : sql`courses.is_active and sections.is_active`;

/**
 * A user's activity in figures. Each method runs a fixed number of statements. Of the tables that grow with the number of users, each
 * statement reads only the user's own rows.
 */
export class DashboardStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async stats(reader: Reader) {
    const [themes, attempts, streaks, containers] = await Promise.all([
      this.#one(themeFigures(reader)),
      this.#one(attemptFigures(reader.userId)),
      this.#one(streaksOf(reader.userId)),
      this.#one(sql<{ active_containers: number }>`
        select count(*)::int as active_containers from containers
        where user_id = ${reader.userId} and status in ('creating', 'running')`),
    ]);
    return { ...themes, ...attempts, ...streaks, ...containers };
  }

  /** Newest first. @param types the types that are shown; the log contains the actions of administrators as well */
  async activity<Type extends string>(userId: number, types: readonly Type[], page: Page) {
    const query = this.#db.selectFrom('activity_log').where('user_id', '=', userId).where('type', 'in', types);
    const [rows, { total }] = await Promise.all([
      query
        .select(['id', 'type', 'title', 'entity_type', 'entity_id', 'created_at'])
        .orderBy('id', 'desc')
        .limit(page.limit)
        .offset(page.offset)
        .execute(),
      query.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow(),
    ]);
    return { rows: rows.map((row) => ({ ...row, id: Number(row.id), type: row.type as Type })), total };
  }

  /** @param days the number of days, 1 for today alone */
  async analytics(userId: number, days: number) {
    const [perDay, scores] = await Promise.all([this.#all(daysOf(userId, days)), this.#all(scoresOf(userId, days))]);
    return { days: perDay, scores };
  }

  async #all<Row>(query: RawBuilder<Row>): Promise<Row[]> {
    return (await query.execute(this.#db)).rows;
  }

  async #one<Row>(query: RawBuilder<Row>): Promise<Row> {
    const [row] = await this.#all(query);
    if (row === undefined) throw new Error('An aggregate gave no row');
    return row;
  }
}

const themeFigures = (reader: Reader) => sql<ThemeFigures>`
  select figures.*, ${percent('completed_themes', 'total_themes')} as percent
  from (
    select count(*)::int as total_themes,
      count(*) filter (where completed)::int as completed_themes,
      coalesce(sum(duration_minutes) filter (where completed), 0)::int as minutes_learned
    from themes
    join sections on sections.id = themes.section_id
    join courses on courses.id = sections.course_id
    ${completion(reader.userId)}
    where ${visible(reader)}
  ) as figures`;

/** Subjects that were deleted since count by the title that their attempts store. */
const attemptFigures = (userId: number) => sql<AttemptFigures>`
  select count(distinct subject) filter (where kind = 'exam')::int as exams_attempted,
    count(distinct subject) filter (where kind = 'exam' and passed)::int as exams_passed,
    count(distinct subject) filter (where kind = 'laboratory' and passed)::int as laboratories_passed,
    round(avg(100.0 * score / nullif(max_score, 0)) filter (where kind = 'exam'), 1)::float8 as average_score_percent
  from (
    select kind, passed, score, max_score, coalesce(coalesce(exam_id, laboratory_id)::text, 'deleted ' || title) as subject
    from attempts where user_id = ${userId} and status <> 'starting'
  ) as own`;

/** Consecutive days share the same difference between the day and its number among the user's days. */
const streaksOf = (userId: number) => sql<Streaks>`
  with days as (
    select ${dayOf('completed_at')} as day from theme_progress where user_id = ${userId} and completed
    union
    select ${dayOf('submitted_at')} from attempts where user_id = ${userId} and status in ('finished', 'expired')
  ),
  streaks as (
    select max(day) as last_day, count(*)::int as length
    from (select day, day - (row_number() over (order by day))::int as streak from days) as numbered
    group by streak
  )
  select coalesce(max(length), 0) as longest_streak_days,
    coalesce(max(length) filter (where last_day >= ${today} - 1), 0) as current_streak_days
  from streaks`;

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
    order by submitted_at desc, id desc limit ${maxScores}
  ) as newest
  order by submitted_at, attempt_id`;
