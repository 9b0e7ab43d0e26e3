import { type RawBuilder, sql } from 'kysely';
import type { CourseRole } from '../../values/course-policies.ts';
import type { Database } from '../connection/connect.ts';
import type { DeletedKind } from '../tables.ts';

/** What belongs to a course. */
type CourseContent =
  | 'course'
  | 'section'
  | 'theme'
  | 'exam'
  | 'laboratory'
  | 'exam_task'
  | 'laboratory_task'
  | 'written_lesson'
  | 'repository'
  | 'image';

const sectionOf = sql`join sections on sections.id`;
const assessment = (kind: 'exam' | 'laboratory', id: RawBuilder<unknown>): RawBuilder<unknown> =>
  kind === 'exam'
    ? sql`select course_id from assessments where kind = 'exam' and id = ${id}`
    : sql`select sections.course_id from assessments as a ${sectionOf} = a.section_id where a.kind = 'laboratory' and a.id = ${id}`;
const taskOf = (kind: 'exam' | 'laboratory', id: number): RawBuilder<unknown> =>
  sql`(select assessment_id from assessment_tasks where assessment_kind = ${kind} and id = ${id})`;

/** Selects the course that something belongs to, if it belongs to one. */
const courses: Record<CourseContent, (id: number) => RawBuilder<unknown>> = {
  course: (id) => sql`select id from courses where id = ${id}`,
  section: (id) => sql`select course_id from sections where id = ${id}`,
  theme: (id) => sql`select sections.course_id from themes as t ${sectionOf} = t.section_id where t.id = ${id}`,
  exam: (id) => assessment('exam', sql`${id}`),
  laboratory: (id) => assessment('laboratory', sql`${id}`),
  exam_task: (id) => assessment('exam', taskOf('exam', id)),
  laboratory_task: (id) => assessment('laboratory', taskOf('laboratory', id)),
  // The numbers of folders are those of courses.
  repository: (id) => sql`select course_id from course_own_repositories where repository_id = ${id}`,
  image: (id) => sql`select course_id from container_images where id = ${id} and state <> 'removed'`,
  written_lesson: (id) =>
    sql`select substring(path from '^courses/([0-9]{1,9})/')::integer from written_files where id = ${id}`,
};

/** The course that something belongs to. Undefined where it does not exist or belongs to none. */
export async function courseIdOf(db: Database, kind: CourseContent, id: number): Promise<number | undefined> {
  const { rows } = await sql<{ course_id: number | null }>`
    select course_id from (${courses[kind](id)}) as found (course_id)`.execute(db);
  return rows[0]?.course_id ?? undefined;
}

export const isCourseContent = (kind: DeletedKind): kind is CourseContent & DeletedKind => kind in courses;

/**
 * The role of a user in a course. Administrators are owners of all courses; students have no role, whatever they were before.
 * @returns undefined where the course does not exist, null without a role in it
 */
export async function courseRoleOf(
  db: Database,
  { id, role }: { id: number; role: string },
  courseId: number,
): Promise<CourseRole | null | undefined> {
  const { rows } = await sql<{ role: CourseRole | null }>`
    select staff.role from courses
    left join course_staff as staff on staff.course_id = courses.id and staff.user_id = ${id}
    where courses.id = ${courseId}`.execute(db);
  const [row] = rows;
  if (!row) return undefined;
  if (role === 'admin') return 'owner';
  return role === 'student' ? null : row.role;
}

/** Whether a row of a table of content belongs to a course. */
export function isInCourse(
  { table, kind }: { table: string; kind?: string | undefined },
  courseId: number,
): RawBuilder<boolean> {
  if (table === 'courses') return sql<boolean>`id = ${courseId}`;
  return table === 'sections' || kind === 'exam'
    ? sql<boolean>`course_id = ${courseId}`
    : sql<boolean>`section_id in (select id from sections where course_id = ${courseId})`;
}
