import type { AttemptKind } from '../tables.ts';
import { assessmentTables } from './assessment-tables.ts';

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

/** The expressions of the fields but `position`. There are at most 5,000 assessments, so their order needs no indexes. */
export function assessmentOrders(kind: AttemptKind): Record<Exclude<AssessmentSort, 'position'>, string> {
  const { table, tasks, column } = assessmentTables[kind];
  const [places, place] = kind === 'exam' ? ['courses', 'course_id'] : ['sections', 'section_id'];
  return {
    title: 'lower(title)',
    is_active: 'is_active',
    place: `(select lower(${places}.name) from ${places} where ${places}.id = ${table}.${place})`,
    task_count: `(select count(*) from ${tasks} where ${column} = ${table}.id)`,
    max_score: `(select coalesce(sum(points), 0) from ${tasks} where ${column} = ${table}.id)`,
    time_limit_minutes: 'time_limit_minutes',
    container_image: 'container_image',
  };
}
