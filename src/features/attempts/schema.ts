import { Type } from 'typebox';
import type { Caller } from '../../http/access.ts';
import { Nullable, NullableTimestamp, OneOf, Timestamp } from '../../http/schemas.ts';
import type { GradedAttempt } from './gradings.ts';
import type { StartedAttempt } from './machine.ts';
import type { QueuePlace } from './queue-place-store.ts';
import { type AttemptRow, notCreated } from './store.ts';

const begun = ['in_progress', 'grading', 'finished', 'abandoned', 'expired'] as const;
const Status = OneOf('queued', ...begun);

const shared = {
  id: Type.Integer(),
  user_id: Type.Integer(),
  title: Type.String(),
  container_id: Nullable(Type.Integer({ description: 'Null after the container was removed.' })),
  container_name: Type.String(),
  status: Status,
  started_at: Type.Unsafe<Date>({
    ...{ type: 'string', format: 'date-time' },
    description: 'For a queued attempt: the time of the request.',
  }),
  submitted_at: NullableTimestamp,
  expires_at: Type.Unsafe<Date | null>({
    ...{ type: ['string', 'null'], format: 'date-time' },
    description: 'Null without a time limit, and for a queued attempt.',
  }),
  score: Nullable(Type.Integer({ description: 'For a laboratory in progress: the score of its last check.' })),
  max_score: Type.Integer(),
  passing_score: Type.Integer(),
  passed: Nullable(Type.Boolean()),
  grading_error: Nullable(Type.String()),
};

const TaskResultSchema = Type.Object(
  {
    task_id: Type.Integer(),
    title: Type.String(),
    passed: Type.Boolean(),
    points: Type.Integer(),
    points_earned: Type.Integer(),
    output: Type.String(),
    graded_at: Timestamp,
  },
  { title: 'TaskResult' },
);

/** The place of a queued attempt. */
const place = {
  position: Type.Integer({ minimum: 1, description: 'The place in the queue of starts; 1 is the next.' }),
  estimated_seconds: Type.Integer({
    minimum: 1,
    description:
      'Until the start: derived from recent starts, or from the deadlines of running attempts if all containers are in use.',
  }),
};

/** The answer to a start that waits for a container. */
export const QueuedSchema = Type.Object(
  { attempt_id: Type.Integer(), status: OneOf('queued'), ...place },
  {
    title: 'QueuedStart',
    description:
      'The attempt is queued. Request the active attempt until it is `in_progress`, at least once a minute. The clock starts then.',
  },
);

/** An attempt with its results. `integrity` is for instructors. */
const withResults = {
  ...shared,
  position: Type.Optional(place.position),
  estimated_seconds: Type.Optional(place.estimated_seconds),
  integrity: Type.Optional(
    Nullable(
      Type.Array(Type.String(), { description: 'System files that differ from the image. For instructors only.' }),
    ),
  ),
  graded_count: Type.Integer({
    description: 'Tasks graded since the submission: the progress of the grading.',
  }),
  conclusion: Type.Optional(
    Nullable(
      Type.String({
        description:
          'The text at the end of the exam or laboratory. Null until the attempt is `finished` or `expired`.',
      }),
    ),
  ),
  results: Type.Array(TaskResultSchema, {
    description:
      'Students receive the results of an exam when the attempt is `finished` or `expired`. Until then the list is empty.',
  }),
};

const exam_id = Nullable(Type.Integer());
const laboratory_id = Nullable(Type.Integer());

/** Attempts without their results, as lists show them. */
export const ExamAttemptSchema = Type.Object({ exam_id, ...shared }, { title: 'ExamAttempt' });
export const LaboratoryAttemptSchema = Type.Object({ laboratory_id, ...shared }, { title: 'LaboratoryAttempt' });

export const ExamResultsSchema = Type.Object({ exam_id, ...withResults }, { title: 'ExamResults' });
export const LaboratoryResultsSchema = Type.Object({ laboratory_id, ...withResults }, { title: 'LaboratoryResults' });

/** The answer to a start, apart from the id of what was started. */
export const startedProperties = {
  attempt_id: Type.Integer(),
  container_id: Type.Integer(),
  container_name: Type.String(),
  status: OneOf(...begun),
  started_at: Timestamp,
  expires_at: NullableTimestamp,
};

export const isStaff = (caller: Pick<Caller, 'role'> | undefined): boolean =>
  caller !== undefined && caller.role !== 'student';

export function toStarted({ attempt, container }: StartedAttempt) {
  const { id: attempt_id, container_name, started_at, expires_at } = attempt;
  const status = attempt.status as (typeof begun)[number];
  return { attempt_id, container_id: container.id, container_name, status, started_at, expires_at };
}

// An attempt that is still starting is never shown.
const wireStatus = ({ status }: AttemptRow) => status as Exclude<AttemptRow['status'], 'starting'>;

/** Whether an attempt has ended with results. */
export const isGraded = ({ status }: Pick<AttemptRow, 'status'>): boolean =>
  status === 'finished' || status === 'expired';

/**
 * Students see no results of an exam before the attempt has ended. An earlier verdict would help them, because a grading can fail part-way
 * and the attempt goes on. A laboratory is for practice, so its results are shown at any time.
 */
const areResultsShown = ({ kind, status }: AttemptRow, { forStaff }: { forStaff: boolean }): boolean =>
  forStaff || kind === 'laboratory' || isGraded({ status });

const isForStudents = (reason: string | null): boolean => reason === null || reason === notCreated;

/** An attempt in the API's format. The reason of a failed grading is only for staff. */
export function toAttempt(attempt: AttemptRow, options: { containerId: number | null; forStaff: boolean }) {
  const { grading_error, integrity, ...rest } = attempt;
  return {
    ...rest,
    ...(areResultsShown(attempt, options) ? {} : { score: null, passed: null }),
    ...(attempt.status === 'queued' ? { expires_at: null } : {}),
    status: wireStatus(attempt),
    container_id: options.containerId,
    grading_error: options.forStaff || isForStudents(grading_error) ? grading_error : 'Grading failed; submit again',
    ...(options.forStaff ? { integrity } : {}),
  };
}

export function toResults(
  {
    attempt,
    results,
    place: queued,
    conclusion,
  }: GradedAttempt & { place?: QueuePlace | undefined; conclusion?: string | null },
  options: { containerId: number | null; forStaff: boolean },
) {
  const isChecked = attempt.kind === 'laboratory' && attempt.status === 'in_progress' && results.length > 0;
  const checked = { score: results.reduce((sum, { points_earned }) => sum + points_earned, 0) };
  return {
    ...toAttempt(attempt, options),
    ...(isChecked ? checked : {}),
    ...queued,
    graded_count: results.filter(({ graded_at }) => graded_at >= (attempt.submitted_at ?? attempt.started_at)).length,
    ...(conclusion === undefined ? {} : { conclusion: isGraded(attempt) ? conclusion : null }),
    results: areResultsShown(attempt, options) ? results : [],
  };
}
