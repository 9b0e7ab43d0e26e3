import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Static } from 'typebox';
import { statusSql } from '../../database/attempt-status.ts';
import type { Database } from '../../database/connection/connect.ts';
import { hasShownResults, isCountedOfAll, isShownTo } from '../../database/exam-session-rules.ts';
import { userMatches } from '../../database/lists/user-search.ts';
import { latenessOf } from '../../database/own-deadlines.ts';
import type { AttemptKind, CountedAttempt, Tables } from '../../database/tables.ts';
import { ForbiddenError } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import type { Page } from '../../http/lists/paging.ts';
import { extensionsOf, type OwnDeadline, seenClass, supervisedClass } from '../classes/access-store.ts';
import type { RulesSchema } from './grades-schema.ts';

export type BookRules = Static<typeof RulesSchema>;
export type GradedAssessment = {
  kind: AttemptKind;
  id: number;
  /** Its own id, or that of what it is a copy of. */
  origin_id: number;
  title: string;
  max_score: number;
  passing_score: number;
  /** A retired one is listed as long as a student of the class has a grade in it. It counts for no total. */
  is_active: boolean;
  weight: number;
  /** Which graded attempt of a student counts. Of an exam session only the one that counts there takes part. */
  counted_attempt: CountedAttempt;
};
export type GradeColumn = { id: number; name: string; max_score: number; weight: number };
export type GradeBook = { rules: BookRules; subjects: GradedAssessment[]; columns: GradeColumn[] };
export type Grade = {
  attempts: number;
  /** The graded attempt that counts; null without one. The next four fields are its own. */
  attempt_id: number | null;
  score: number | null;
  max_score: number | null;
  passed: boolean | null;
  submitted_at: string | null;
  /** Whether an attempt has begun and not ended. */
  is_active: boolean;
  /** Whether a graded attempt is left out because its exam session does not show it to the student yet. */
  is_withheld: boolean;
  /** Whether people have not graded all of an attempt that has ended. */
  is_awaiting_grading: boolean;
  /** What lateness has cost; null for what is on time. The score is what is left. */
  late: Late | null;
};
/** @property percent of the full score that was lost */
export type Late = { days: number; percent: number; full_score: number };
export type GradedStudent = {
  user_id: number;
  username: string;
  full_name: string | null;
  email: string;
  /** Deadlines that are those of the student alone. */
  extensions: OwnDeadline[];
  /** In the order of the assessments; undefined without an attempt. */
  grades: (Grade | undefined)[];
  /** In the order of the columns; undefined without a value. */
  values: (number | undefined)[];
};
export type ReadGrades = { class_name: string; book: GradeBook; students: GradedStudent[]; total: number };

/** Arrays are a third of the size of objects, of which a class of 200 has thousands. */
type TriedRow = [
  ...[place: number, attempts: number, is_active: boolean, is_withheld: boolean, attempt_id: number | null],
  ...[score: number | null, max_score: number | null, passed: boolean | null, submitted_at: string | null],
  ...[is_awaiting_grading: boolean, days: number | null, lost: number | null, full_score: number | null],
];
type Row = Omit<GradedStudent, 'grades' | 'values' | 'extensions'> & {
  tried: TriedRow[];
  typed: [column_id: number, value: number][];
};

/** The grades of the students of a class: in the exams and laboratories of its courses, and in columns with typed values. */
export class ClassGradesStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * By username. Five statements in one transaction, whatever the number of students.
   * Students who supervise the class see no result that is withheld.
   * @param q part of a name or an address
   * @param page undefined for all students
   * @throws NotFoundError, ForbiddenError
   */
  async read(caller: Caller, classId: number, q?: string, page?: Page): Promise<ReadGrades> {
    return await this.#atOnce(async (trx) => {
      const of = await supervisedClass(trx, caller, classId);
      const extensions = await extensionsOf(trx, caller, of);
      const chosen = q === undefined ? sql`true` : userMatches(q);
      const { total, ...book } = await readBook(trx, classId, chosen);
      const limit = page ? sql`limit ${page.limit} offset ${page.offset}` : sql``;
      const { rows } = await studentsOf(classId, book, { chosen, limit, shown: isShownTo(caller) }).execute(trx);
      const students = rows.map((row) => toStudent(row, book, extensions.get(row.user_id)));
      return { class_name: of.name, book, students, total };
    });
  }

  /**
   * Those of the caller as a student of the class, without results that the caller does not see yet.
   * @throws NotFoundError, ForbiddenError unless the instructor shows the grades
   */
  async readOwn(caller: Caller, classId: number): Promise<{ book: GradeBook; student: GradedStudent | undefined }> {
    return await this.#atOnce(async (trx) => {
      const { my_role } = await seenClass(trx, caller, classId);
      if (my_role !== 'student') throw new ForbiddenError('forbidden', 'Only students of the class have grades in it');
      const chosen = sql<boolean>`users.id = ${caller.id}`;
      const { total: _total, ...book } = await readBook(trx, classId, chosen);
      if (!book.rules.is_visible)
        throw new ForbiddenError('forbidden', 'The grades of the class are not shown to students');
      const shown = sql<boolean>`${sql.raw(hasShownResults)}`;
      const { rows } = await studentsOf(classId, book, { chosen, limit: sql``, shown }, 'own_memberships').execute(trx);
      return { book, student: rows[0] && toStudent(rows[0], book) };
    });
  }

  /** All statements see the same rows. */
  async #atOnce<Found>(read: (trx: Transaction<Tables>) => Promise<Found>): Promise<Found> {
    return await this.#db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read);
  }
}

/** The rules and columns of a grade book, and the number of the chosen students of the class. */
export async function readBook(
  db: Database,
  classId: number,
  chosen: RawBuilder<unknown> = sql`true`,
): Promise<GradeBook & { total: number }> {
  const { rows } = await sql<GradeBook & { total: number }>`
    select (select json_build_object('missing', coalesce(missing, 'zero'), 'drop_lowest', coalesce(drop_lowest, 0),
        'passing_percent', passing_percent, 'is_visible', coalesce(is_visible, false))
        from (values (1)) as one left join grade_books on class_id = ${classId}) as rules,
      (select coalesce(json_agg(subjects), '[]') from (${subjectsOf(classId)}) as subjects) as subjects,
      (select coalesce(json_agg(json_build_object('id', id, 'name', name, 'max_score', max_score, 'weight', weight)
        order by id), '[]') from grade_columns where class_id = ${classId}) as columns,
      (select count(*)::int from class_members join users on users.id = class_members.user_id
        where class_id = ${classId} and class_members.role = 'student' and ${chosen}) as total`.execute(db);
  return rows[0] as GradeBook & { total: number };
}

/** The active assessments of the courses of the class, then the retired ones with grades. */
const subjectsOf = (classId: number) => sql`
  with assigned as (
    select assessments.kind, assessments.id, coalesce(origin_id, assessments.id) as origin_id, title, passing_score, coalesce(sections.order_index, assessments.order_index) as order_index,
      assessments.is_active and coalesce(sections.is_active, true) and courses.is_active as is_active,
      max_score_of(assessments.kind, assessments.id) as max_score
    from assessments left join sections on sections.id = section_id
      join courses on courses.id = coalesce(assessments.course_id, sections.course_id)
      join class_courses on class_courses.course_id = courses.id
    where class_courses.class_id = ${classId}
  )
  select assigned.kind, assigned.id, origin_id, title, max_score, passing_score, is_active,
    coalesce(own.weight, 1) as weight, coalesce(own.counted_attempt, 'best') as counted_attempt
  from assigned left join grade_book_assessments as own on own.class_id = ${classId}
    and own.kind = assigned.kind and own.assessment_id = assigned.id
  where is_active or exists (
    select from class_members join attempts on attempts.user_id = class_members.user_id
    where class_members.class_id = ${classId} and class_members.role = 'student' and ${statusSql.isGraded()}
      and attempts.kind = assigned.kind and attempts.assessment_id = assigned.id
  )
  order by is_active desc, assigned.kind, order_index, assigned.id`;

/**
 * Reads the attempts of the chosen students only, by the index of each. Of equal scores the newest attempt counts.
 * @param shown whether an attempt takes part
 */
function studentsOf(
  classId: number,
  { subjects, columns }: GradeBook,
  { chosen, limit, shown }: Record<'chosen' | 'limit' | 'shown', RawBuilder<unknown>>,
  members: 'class_members' | 'own_memberships' = 'class_members',
) {
  const each = <Value>(value: (assessment: GradedAssessment) => Value) => subjects.map(value);
  return sql<Row>`
    with page as materialized (
      select users.id as user_id, username, full_name, email from ${sql.table(members)} as member
      join users on users.id = member.user_id
      where class_id = ${classId} and member.role = 'student' and ${chosen}
      order by lower(username), users.id ${limit}
    ), subjects as materialized (
      select * from unnest(${each(({ kind }) => kind)}::text[], ${each(({ id }) => id)}::int[],
        ${each(({ counted_attempt }) => counted_attempt)}::text[]) with ordinality as subjects (kind, assessment_id, counted, place)
    ), own as (
      select attempts.id, attempts.user_id, place::int,
        ${statusSql.isActive()} as is_active, attempts.is_awaiting_grading, ${shown} as is_shown,
        ${statusSql.isGraded()} and score is not null and ${isCountedOfAll} as takes_part,
        late.days, late.lost, late_score(score, late.lost) as left_score,
        case counted when 'best' then -late_score(score, late.lost) when 'last' then -attempts.id else attempts.id end as preference
      from page join attempts on attempts.user_id = page.user_id
      join subjects on subjects.kind = attempts.kind and subjects.assessment_id = attempts.assessment_id
      left join exam_sessions as sessions on sessions.id = attempts.session_id
      left join lateral (${latenessOf(classId)}) as late on true
      where ${statusSql.isListed()}
    ), tried as (
      select user_id, place, count(*) as attempts, bool_or(is_active) as is_active,
        bool_or(takes_part and not is_shown) as is_withheld, bool_or(is_awaiting_grading) as is_awaiting_grading,
        (array_agg(id order by preference, id desc) filter (where takes_part and is_shown))[1] as counted_id
      from own group by user_id, place
    ), tried_by as (
      select tried.user_id, json_agg(json_build_array(tried.place, tried.attempts, tried.is_active, is_withheld and counted_id is null, counted_id,
        own.left_score, counted.max_score, counted.passed, counted.submitted_at, tried.is_awaiting_grading, own.days, own.lost, counted.score)) as tried
      from tried left join own on own.id = counted_id left join attempts as counted on counted.id = counted_id group by tried.user_id
    ), typed_by as (
      select page.user_id, json_agg(json_build_array(column_id, value)) as typed
      from page join grade_values on grade_values.user_id = page.user_id
      where column_id = any(${columns.map(({ id }) => id)}::int[]) group by page.user_id
    )
    select page.*, coalesce(tried, '[]') as tried, coalesce(typed, '[]') as typed
    from page left join tried_by on tried_by.user_id = page.user_id left join typed_by on typed_by.user_id = page.user_id
    order by lower(username), page.user_id`;
}

function toStudent(
  { tried, typed, ...student }: Row,
  { subjects, columns }: GradeBook,
  extensions: OwnDeadline[] = [],
): GradedStudent {
  const grades = Array.from<Grade | undefined>({ length: subjects.length });
  for (const [
    place,
    attempts,
    is_active,
    is_withheld,
    attempt_id,
    score,
    max_score,
    passed,
    submitted_at,
    is_awaiting_grading,
    ...of
  ] of tried)
    grades[place - 1] = {
      ...{ attempts, is_active, is_withheld, attempt_id, score, max_score, passed, submitted_at },
      is_awaiting_grading,
      late: lateOf(of),
    };
  const values = new Map(typed);
  return { ...student, extensions, grades, values: columns.map(({ id }) => values.get(id)) };
}

function lateOf([days, percent, full_score]: [number | null, number | null, number | null]): Late | null {
  return days === null || percent === null || full_score === null || percent === 0
    ? null
    : { days, percent, full_score };
}
