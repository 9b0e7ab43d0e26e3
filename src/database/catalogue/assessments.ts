import { sql } from 'kysely';
import { ConflictError, InvalidError, NotFoundError } from '../../errors.ts';
import { refusedField } from '../../values/coded-problem.ts';
import type { AttemptKind } from '../tables.ts';
import { imageRefusals, type Refusals } from './refusals.ts';

/** The errors of the constraints of exams and laboratories. */
export const assessmentRefusals: Refusals = {
  ...imageRefusals,
  assessments_course_id_fkey: () => new NotFoundError('not_found', 'Course not found'),
  assessments_section_id_fkey: () => new NotFoundError('not_found', 'Section not found'),
  assessment_tasks_pool_points: () => new InvalidError([refusedField(['body', 'points'], 'pool_points')]),
  assessments_section: () => new ConflictError('section_has_laboratory', 'The section has a laboratory already'),
};

/** What the lists of exams and laboratories are sorted by. `position` is their usual order, `place` the course or the section. */
export type AssessmentSort =
  | 'position'
  | 'title'
  | 'is_active'
  | 'place'
  | 'task_count'
  | 'max_score'
  | 'time_limit_minutes'
  | 'container_image';

const tasks =
  'from assessment_tasks as task where task.assessment_kind = assessments.kind and task.assessment_id = assessments.id';

/** The expressions of the fields but `position`. There are at most 5,000 of a kind, so their order needs no indexes. */
export const assessmentOrders: Record<Exclude<AssessmentSort, 'position'>, string> = {
  title: 'lower(title)',
  is_active: 'is_active',
  place: `coalesce((select lower(name) from courses where id = course_id), (select lower(name) from sections where id = section_id))`,
  task_count: `(select count(*) ${tasks})`,
  max_score: 'max_score_of(kind, id)',
  time_limit_minutes: 'time_limit_minutes',
  container_image: 'container_image',
};

/** The condition for the parts of one assessment but its tasks: files, revisions and attempts. */
export const ofAssessment = (kind: AttemptKind, assessmentId: number, table?: string) =>
  table === undefined
    ? sql<boolean>`kind = ${kind} and assessment_id = ${assessmentId}`
    : sql<boolean>`${sql.ref(`${table}.kind`)} = ${kind} and ${sql.ref(`${table}.assessment_id`)} = ${assessmentId}`;

/** Where a table has the kind of its assessments. Tasks have a kind of their own. */
export const kindColumn = (table: string) =>
  table === 'assessment_tasks' ? ('assessment_kind' as const) : ('kind' as const);

/** The condition for the tasks of one assessment, whose own `kind` is another one. */
export const tasksOf = (kind: AttemptKind, assessmentId: number, table?: string) =>
  table === undefined
    ? sql<boolean>`assessment_kind = ${kind} and assessment_id = ${assessmentId}`
    : sql<boolean>`${sql.ref(`${table}.assessment_kind`)} = ${kind} and ${sql.ref(`${table}.assessment_id`)} = ${assessmentId}`;

/** The condition for the assessment itself. */
export const isAssessment = (kind: AttemptKind, id: number) => sql<boolean>`kind = ${kind} and id = ${id}`;
