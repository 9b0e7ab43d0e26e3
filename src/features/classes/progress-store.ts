import { type RawBuilder, sql } from 'kysely';
import type { Static } from 'typebox';
import { statusSql } from '../../database/attempt-status.ts';
import type { Database } from '../../database/connection/connect.ts';
import { isCounted, isShownTo } from '../../database/exam-session-rules.ts';
import type { AttemptKind } from '../../database/tables.ts';
import { invalidSort } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import type { Order, Page } from '../../http/lists/paging.ts';
import { extensionsOf, supervisedClass } from './access-store.ts';
import type { ClassProgressSchema } from './schema.ts';

export type ProgressState = 'not_begun' | 'begun' | 'stuck' | 'finished';
export type ProgressChoice = {
  state?: ProgressState | undefined;
  stuckAfter: number;
  /** By a field of a student, or by the score of an assessment: `exam-3`. */
  order: Order<string>;
};
type Shown = Static<typeof ClassProgressSchema>;
export type ClassAssessment = Shown['subjects'][number];
export type StudentProgress = Shown['students'][number];
export type AssessmentProgress = NonNullable<StudentProgress['results'][number]>;
export type ClassProgress = Omit<Shown, 'students'> & { students: { rows: StudentProgress[]; total: number } };

type Row = Omit<StudentProgress, 'results' | 'extensions'> & {
  tried: (Omit<AssessmentProgress, 'passed_at'> & { kind: AttemptKind; id: number; passed_at: string | null })[];
};

/** What the students of a class have done in the active courses of the class. */
export class ClassProgressStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * Equal students are in the order of usernames. The counts are those of all students.
   * @param page undefined for all students
   * @throws NotFoundError, ForbiddenError; InvalidError for the order of an assessment that the class does not have
   */
  async read(caller: Caller, classId: number, choice: ProgressChoice, page?: Page): Promise<ClassProgress> {
    return await this.#db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (trx) => {
        const extensions = await extensionsOf(trx, caller, await supervisedClass(trx, caller, classId));
        const course = inClass(classId);
        const subjects = (
          await sql<ClassAssessment>`select subjects.*, due_at from (${subjectsOf(course)}) as subjects
          left join laboratory_deadlines as due on kind = 'laboratory' and due.laboratory_id = id and due.class_id = ${classId}
          order by kind, order_index, id`.execute(trx)
        ).rows;
        const themes = await sql<{
          total: number;
        }>`select count(*)::int as total from (${themesOf(course)}) as t`.execute(trx);
        const total_themes = themes.rows[0]?.total ?? 0;
        const totals = { themes: total_themes, subjects: subjects.length };
        const all = studentsOf(classId, course, choice.stuckAfter, totals, isShownTo(caller));
        const sorted = sortedBy(choice.order, subjects);
        const counted = await sql<{ state: ProgressState; count: number }>`
          select state, count(*)::int as count from (${all}) as students group by state`.execute(trx);
        const counts = { not_begun: 0, begun: 0, stuck: 0, finished: 0 };
        for (const { state, count } of counted.rows) counts[state] = count;
        const where = choice.state === undefined ? sql`true` : sql`state = ${choice.state}`;
        const limit = page ? sql`limit ${page.limit} offset ${page.offset}` : sql``;
        const { rows } = await sql<Row>`select * from (${all}) as students where ${where}
          order by ${sorted} nulls last, lower(username), user_id ${limit}`.execute(trx);
        const total = choice.state === undefined ? sum(Object.values(counts)) : counts[choice.state];
        return {
          total_themes,
          subjects,
          counts,
          students: {
            rows: rows.map((row) => ({ ...toStudent(row, subjects), extensions: extensions.get(row.user_id) ?? [] })),
            total,
          },
        };
      });
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, number) => all + number, 0);

/** Values of a student in the order that `order by` gives them. */
const sortValues = new Map([
  ['username', sql`lower(username)`],
  ['name', sql`lower(coalesce(nullif(full_name, ''), username))`],
  ['state', sql`array_position(array['not_begun', 'begun', 'stuck', 'finished'], state)`],
  ['completed_themes', sql`completed_themes`],
  ['last_active_at', sql`last_active_at`],
]);

/** @throws InvalidError */
function sortedBy({ by, isDescending }: Order<string>, subjects: readonly ClassAssessment[]): RawBuilder<unknown> {
  const direction = isDescending ? sql`desc` : sql`asc`;
  const value = sortValues.get(by);
  if (value) return sql`${value} ${direction}`;
  const assessment = subjects.find(({ kind, id }) => by === `${kind}-${id}`);
  if (!assessment) throw invalidSort('the class has no such exam or laboratory');
  return sql`(select (one ->> 'score')::float8 from json_array_elements(tried) as one
    where one ->> 'kind' = ${assessment.kind} and (one ->> 'id')::int = ${assessment.id}) ${direction}`;
}

/** The courses of the class that students see. */
const inClass = (classId: number) => sql`course_id in (
  select courses.id from class_courses join courses on courses.id = class_courses.course_id
  where class_courses.class_id = ${classId} and courses.is_active)`;

const themesOf = (course: RawBuilder<unknown>) => sql`
  select themes.id from themes join sections on sections.id = themes.section_id
  where sections.is_active and sections.${course}`;

const subjectsOf = (course: RawBuilder<unknown>) => sql<ClassAssessment>`
  select placed.kind, placed.id, title, order_index, max_score_of(placed.kind, placed.id) as max_score
  from (
    select kind, assessments.id, title, coalesce(sections.order_index, assessments.order_index) as order_index,
      coalesce(assessments.course_id, sections.course_id) as course_id
    from assessments left join sections on sections.id = section_id
    where assessments.is_active and coalesce(sections.is_active, true)
  ) as placed where ${course}`;

/**
 * One row for each student: reads the completions and attempts of the members by their indexes. Stuck is who has ended so many attempts of
 * one exam or laboratory without passing it, and awaits nobody who grades.
 * @param isShown whether the reader sees the result of an attempt
 */
const studentsOf = (
  classId: number,
  course: RawBuilder<unknown>,
  stuckAfter: number,
  total: { themes: number; subjects: number },
  isShown: RawBuilder<boolean>,
) => sql`
  select users.id as user_id, username, full_name, email, done.completed_themes, tried.tried,
    greatest(done.last_at, tried.last_at) as last_active_at,
    case
      when done.completed_themes = 0 and tried.subjects = 0 then 'not_begun'
      when done.completed_themes = ${total.themes}::int and tried.passed = ${total.subjects}::int then 'finished'
      when tried.is_stuck then 'stuck'
      else 'begun'
    end as state
  from class_members
  join users on users.id = class_members.user_id
  cross join lateral (
    select count(*)::int as completed_themes, max(completed_at) as last_at from theme_progress
    where theme_progress.user_id = users.id and completed and theme_id in (${themesOf(course)})
  ) as done
  cross join lateral (
    select count(*)::int as subjects, (count(*) filter (where passed))::int as passed, max(last_at) as last_at,
      coalesce(bool_or(ended >= ${stuckAfter}::int and not passed and not is_active and not is_awaiting_grading), false) as is_stuck,
      coalesce(json_agg(json_build_object('kind', kind, 'id', id, 'attempts', attempts, 'score', score,
        'passed', passed, 'passed_at', passed_at, 'is_active', is_active, 'is_awaiting_grading', is_awaiting_grading)), '[]') as tried
    from (
      select attempts.kind, own.id, count(*)::int as attempts, max(score) filter (where ${isCounted} and ${isShown}) as score,
        coalesce(bool_or(passed) filter (where ${isCounted} and ${isShown}), false) as passed,
        min(coalesce(submitted_at, started_at)) filter (where passed and ${isCounted} and ${isShown}) as passed_at,
        max(coalesce(submitted_at, started_at)) as last_at,
        bool_or(${statusSql.isActive()}) as is_active, bool_or(attempts.is_awaiting_grading) as is_awaiting_grading,
        count(*) filter (where ${statusSql.isGraded()}) as ended
      from attempts join (${subjectsOf(course)}) as own
        on own.kind = attempts.kind and own.id = attempts.assessment_id
      where attempts.user_id = users.id and ${statusSql.isListed()}
      group by attempts.kind, own.id
    ) as each_subject
  ) as tried
  where class_members.class_id = ${classId} and class_members.role = 'student'`;

function toStudent(
  { tried, ...student }: Row,
  subjects: readonly ClassAssessment[],
): Omit<StudentProgress, 'extensions'> {
  const results = subjects.map((assessment) => {
    const found = tried.find(({ kind, id }) => kind === assessment.kind && id === assessment.id);
    if (!found) return null;
    const { kind: _kind, id: _id, passed_at, ...result } = found;
    return { ...result, passed_at: passed_at === null ? null : new Date(passed_at) };
  });
  return { ...student, results };
}
