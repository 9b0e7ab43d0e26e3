import { sql } from 'kysely';
import type { Database } from '../../database/connection/connect.ts';
import { isCounted } from '../../database/exam-session-rules.ts';
import type { AttemptKind } from '../../database/tables.ts';
import type { Caller } from '../../http/access.ts';
import type { Page } from '../../http/paging.ts';
import { supervisedClass } from './access-store.ts';

export type GradedSubject = {
  kind: AttemptKind;
  id: number;
  title: string;
  max_score: number;
  passing_score: number;
  /** A retired one is listed as long as a student of the class has a grade in it. It counts for no total. */
  is_active: boolean;
};
export type Grade = {
  attempts: number;
  /**
   * The graded attempt with the highest score, of several the newest; null without one. Of an exam session only the attempt that counts
   * there. The next four fields are its own.
   */
  attempt_id: number | null;
  score: number | null;
  max_score: number | null;
  passed: boolean | null;
  submitted_at: Date | null;
  /** Whether an attempt has begun and not ended. */
  is_active: boolean;
};
export type StudentGrades = {
  user_id: number;
  username: string;
  full_name: string | null;
  email: string;
  /** The sum of the grades in the active subjects. */
  score: number;
  /** Active subjects that the student has passed. */
  passed: number;
  /** Active subjects without a graded attempt. */
  missing: number;
  /** In the order of the subjects; null without an attempt. */
  results: (Grade | null)[];
};
export type ClassGrades = {
  subjects: GradedSubject[];
  max_score: number;
  students: { rows: StudentGrades[]; total: number };
};

type Tried = Omit<Grade, 'submitted_at'> & { kind: AttemptKind; id: number; submitted_at: string | null };
type Row = Pick<StudentGrades, 'user_id' | 'username' | 'full_name' | 'email'> & { tried: Tried[] };

/** The grades of the students of a class in the exams and laboratories of its courses. */
export class ClassGradesStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * By username.
   * @param page undefined for all students
   * @throws NotFound, Forbidden
   */
  async read(caller: Caller, classId: number, page?: Page): Promise<ClassGrades> {
    return await this.#db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (trx) => {
        await supervisedClass(trx, caller, classId);
        const { rows: subjects } = await subjectsOf(classId).execute(trx);
        const { rows } = await studentsOf(classId, subjects, page).execute(trx);
        const counted = await sql<{ total: number }>`select count(*)::int as total from class_members
          where class_id = ${classId} and role = 'student'`.execute(trx);
        return {
          subjects,
          max_score: subjects.reduce((sum, { is_active, max_score }) => sum + (is_active ? max_score : 0), 0),
          students: { rows: rows.map((row) => toStudent(row, subjects)), total: counted.rows[0]?.total ?? 0 },
        };
      });
  }
}

/** The active subjects of the courses of the class, then the retired ones with grades. */
const subjectsOf = (classId: number) => sql<GradedSubject>`
  with assigned as (
    select 'exam' as kind, exams.id, title, passing_score, exams.order_index, exams.is_active and courses.is_active as is_active,
      (select coalesce(sum(points), 0)::int from exam_tasks where exam_id = exams.id) as max_score
    from class_courses join courses on courses.id = class_courses.course_id join exams on exams.course_id = courses.id
    where class_courses.class_id = ${classId}
    union all
    select 'laboratory', laboratories.id, title, passing_score, sections.order_index,
      laboratories.is_active and sections.is_active and courses.is_active,
      (select coalesce(sum(points), 0)::int from laboratory_tasks where laboratory_id = laboratories.id)
    from class_courses join courses on courses.id = class_courses.course_id join sections on sections.course_id = courses.id
      join laboratories on laboratories.section_id = sections.id
    where class_courses.class_id = ${classId}
  )
  select kind, id, title, max_score, passing_score, is_active from assigned
  where is_active or exists (
    select from class_members join attempts on attempts.user_id = class_members.user_id
    where class_members.class_id = ${classId} and class_members.role = 'student' and status in ('finished', 'expired')
      and (assigned.kind = 'exam' and attempts.exam_id = assigned.id
        or assigned.kind = 'laboratory' and attempts.laboratory_id = assigned.id)
  )
  order by is_active desc, kind, order_index, id`;

/** Reads the attempts of the students on the page only, by the index of each. */
function studentsOf(classId: number, subjects: readonly GradedSubject[], page: Page | undefined) {
  const ids = (kind: AttemptKind) => subjects.filter((subject) => subject.kind === kind).map(({ id }) => id);
  const limit = page ? sql`limit ${page.limit} offset ${page.offset}` : sql``;
  return sql<Row>`
    with page as (
      select users.id as user_id, username, full_name, email from class_members
      join users on users.id = class_members.user_id
      where class_id = ${classId} and class_members.role = 'student'
      order by lower(username), users.id ${limit}
    )
    select page.*, tried.tried from page cross join lateral (
      select coalesce(json_agg(json_build_object('kind', own.kind, 'id', own.id, 'attempts', own.attempts,
        'is_active', own.is_active, 'attempt_id', best.id, 'score', best.score, 'max_score', best.max_score,
        'passed', best.passed, 'submitted_at', best.submitted_at)), '[]') as tried
      from (
        select kind, coalesce(exam_id, laboratory_id) as id, count(*)::int as attempts,
          bool_or(status in ('queued', 'in_progress', 'grading')) as is_active,
          (array_agg(attempts.id order by score desc, attempts.id desc)
            filter (where status in ('finished', 'expired') and score is not null and ${sql.raw(isCounted)}))[1] as best
        from attempts
        where user_id = page.user_id and status <> 'starting'
          and (exam_id = any(${ids('exam')}::int[]) or laboratory_id = any(${ids('laboratory')}::int[]))
        group by 1, 2
      ) as own left join attempts as best on best.id = own.best
    ) as tried
    order by lower(username), user_id`;
}

function toStudent({ tried, ...student }: Row, subjects: readonly GradedSubject[]): StudentGrades {
  const results = subjects.map((subject): Grade | null => {
    const found = tried.find(({ kind, id }) => kind === subject.kind && id === subject.id);
    if (!found) return null;
    const { kind: _kind, id: _id, submitted_at, ...grade } = found;
    return { ...grade, submitted_at: submitted_at === null ? null : new Date(submitted_at) };
  });
  const counted = results.filter((_, index) => subjects[index]?.is_active);
  return {
    ...student,
    score: counted.reduce((sum, grade) => sum + (grade?.score ?? 0), 0),
    passed: counted.filter((grade) => grade?.passed).length,
    missing: counted.filter((grade) => !grade || grade.attempt_id === null).length,
    results,
  };
}
