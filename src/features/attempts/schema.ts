import { Type } from 'typebox';
import { Nullable, NullableTimestamp, OneOf, Timestamp } from '../../http/schemas.ts';
import type { GradedAttempt } from './machine.ts';
import type { AttemptRow } from './store.ts';

const Status = OneOf('in_progress', 'grading', 'finished', 'abandoned', 'expired');

const shared = {
  id: Type.Integer(),
  user_id: Type.Integer(),
  title: Type.String(),
  container_id: Nullable(Type.Integer({ description: 'While the container lives.' })),
  container_name: Type.String(),
  status: Status,
  started_at: Timestamp,
  submitted_at: NullableTimestamp,
  expires_at: NullableTimestamp,
  score: Nullable(Type.Integer()),
  max_score: Type.Integer(),
  passing_score: Type.Integer(),
  passed: Nullable(Type.Boolean()),
  grading_error: Nullable(Type.String()),
};

export const TaskResultSchema = Type.Object({
  task_id: Type.Integer(),
  title: Type.String(),
  passed: Type.Boolean(),
  points: Type.Integer(),
  points_earned: Type.Integer(),
  output: Type.String(),
});

/** An exam's attempt without its results, as lists show it. */
export const ExamAttemptSchema = Type.Object({ exam_id: Nullable(Type.Integer()), ...shared });

/** An exam's attempt with its results. `integrity` is for instructors. */
export const ExamResultsSchema = Type.Object({
  exam_id: Nullable(Type.Integer()),
  ...shared,
  integrity: Type.Optional(
    Nullable(Type.Array(Type.String(), { description: 'System files that differ from the image; for instructors.' })),
  ),
  results: Type.Array(TaskResultSchema),
});

/** An attempt on the wire. Why grading failed is for those who can do something about it. */
export function toAttempt(attempt: AttemptRow, options: { containerId: number | null; forStaff: boolean }) {
  const { grading_error, integrity, ...rest } = attempt;
  return {
    ...rest,
    // What is still being started is shown to nobody.
    status: attempt.status as Exclude<AttemptRow['status'], 'starting'>,
    container_id: options.containerId,
    grading_error: options.forStaff || grading_error === null ? grading_error : 'Grading failed; submit again',
    ...(options.forStaff ? { integrity } : {}),
  };
}

export function toResults(
  { attempt, results }: GradedAttempt,
  options: { containerId: number | null; forStaff: boolean },
) {
  return { ...toAttempt(attempt, options), results };
}
