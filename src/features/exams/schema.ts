import { Type } from 'typebox';
import { Nullable, NullableTimestamp, Timestamp } from '../../http/schemas.ts';
import type { Exam } from './store.ts';

export const TaskSchema = Type.Object({
  id: Type.Integer(),
  title: Type.String(),
  description: Type.String(),
  points: Type.Integer(),
  order_index: Type.Integer(),
  verification_script: Type.Optional(Type.String({ description: 'For instructors and administrators only.' })),
});

export const ExamSchema = Type.Object({
  id: Type.Integer(),
  title: Type.String(),
  description: Type.String(),
  container_image: Type.String(),
  time_limit_minutes: Type.Integer(),
  passing_score: Type.Integer({ description: 'In points.' }),
  course_id: Nullable(Type.Integer()),
  is_active: Type.Boolean(),
  created_at: Timestamp,
  task_count: Type.Integer(),
  max_score: Type.Integer(),
  tasks: Type.Array(TaskSchema),
});

export const StartedSchema = Type.Object({
  attempt_id: Type.Integer(),
  exam_id: Type.Integer(),
  container_id: Type.Integer(),
  container_name: Type.String(),
  status: Type.Literal('in_progress'),
  started_at: Timestamp,
  expires_at: NullableTimestamp,
});

const withoutScripts = new WeakMap<Exam, object>();

/** An exam as a caller may see it: scripts are for staff. */
export function toExam(exam: Exam, forStaff: boolean): Exam {
  if (forStaff) return exam;
  // Exams come from a cache and are asked for by everybody: what students see of one is made once.
  const known = withoutScripts.get(exam);
  if (known) return known as Exam;
  const tasks = exam.tasks.map(({ verification_script: _script, solution_script: _solution, ...task }) => task);
  const shown = { ...exam, tasks } as Exam;
  withoutScripts.set(exam, shown);
  return shown;
}
