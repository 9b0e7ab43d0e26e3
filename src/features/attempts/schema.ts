import { type Static, Type } from 'typebox';
import { Assessment, assessmentIds } from '../../entities/assessment.ts';
import { answered } from '../../entities/fields.ts';
import { openingColumns } from '../../entities/opening.ts';
import { RevisionTask, resultTask } from '../../entities/task.ts';
import type { Caller } from '../../http/access/access.ts';
import { Nullable, NullableTimestamp, OneOf, Timestamp } from '../../http/protocol/schemas.ts';
import { isGraded, type ListedStatus, statusesThat } from '../../values/attempt-status.ts';
import { type GradingErrorCode, gradingErrorCodes } from '../../values/grading-problem.ts';
import { sumOfPoints } from '../../values/points.ts';
import { RemarkProperties } from '../grading/schema.ts';
import type { GradedAttempt } from './gradings/gradings.ts';
import { containerNotCreated, gradingFailed } from './gradings/problems.ts';
import type { Revision } from './revision-store.ts';
import type { QueuePlace } from './starts/queue-store.ts';
import type { StartedAttempt } from './starts/starts.ts';
import type { AttemptMessage, AttemptRow, TaskResultRow } from './store.ts';

const Status = OneOf(...statusesThat.isListed);

const shared = {
  id: Type.Integer(),
  user_id: Type.Integer(),
  title: Type.String(),
  container_id: Nullable(
    Type.Integer({ description: 'Null after the container was removed, and where no task needs a machine.' }),
  ),
  container_name: Type.String(),
  status: Status,
  started_at: { ...Timestamp, description: 'For a queued attempt: the time of the request.' },
  submitted_at: NullableTimestamp,
  expires_at: { ...NullableTimestamp, description: 'Null without a time limit, and for a queued attempt.' },
  score: Nullable(Type.Number({ description: 'For a laboratory in progress: the score of its last check.' })),
  max_score: Type.Number(),
  passing_score: Type.Integer(),
  passed: Nullable(Type.Boolean()),
  is_awaiting_grading: Type.Boolean({
    description:
      'True: it has ended, and people have not graded all tasks yet. Until they have, `score` and `passed` are null, and the results in an exam session are not shown.',
  }),
  needs_machine: Type.Boolean({ description: 'False: the attempt has no container.' }),
  revision: Nullable(
    Type.Integer({ description: 'That of the exam or laboratory which it is shown and graded by. Null: not known.' }),
  ),
  grading_error: Nullable(Type.String()),
  grading_error_code: Type.Unsafe<GradingErrorCode | null>({
    type: ['string', 'null'],
    enum: [...gradingErrorCodes, null],
    description:
      'Why the grading failed, or why the attempt ended without a result; /api/docs/errors lists the codes. Null for some older errors as well.',
  }),
};

const TaskResultSchema = Type.Object(
  {
    task_id: Type.Integer(),
    ...resultTask,
    passed: Type.Boolean(),
    points_earned: Type.Number(),
    is_awaiting_grading: Type.Boolean({
      description: 'True: a person gives its points. Until then `points_earned` is 0, and `passed` false.',
    }),
    output: Type.String({
      description:
        'The standard output of the check, unchanged, at most its last 64 KiB. NUL and bytes that are not UTF-8 are shown as U+FFFD.',
    }),
    ...RemarkProperties,
    graded_at: Timestamp,
    solution: Type.Optional(
      Type.String({ description: 'The worked solution in Markdown. Absent where the caller may not see it.' }),
    ),
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
  has_unrecorded_terminals: Type.Optional(
    Type.Boolean({
      description: 'A terminal was not recorded, because its student had not agreed. For instructors only.',
    }),
  ),
  is_work_removed: Type.Boolean({
    description:
      'True: only its points are kept. Answers, outputs, recordings and comments were deleted after the days that the installation keeps them, or with its account.',
  }),
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
      'Students receive the results of an exam when the attempt is `finished` or `expired`, and when its session shows them. Until then the list is empty, and `score` and `passed` are null.',
  }),
};

const ofExam = {
  exam_id: Nullable(Type.Integer()),
  session_id: Nullable(Type.Integer({ description: 'The exam session in which it started. Null without one.' })),
  paused_at: {
    ...NullableTimestamp,
    description:
      'Its clock has been stopped since then. `expires_at` moves when the session is resumed, or the break ends.',
  },
  break_ends_at: {
    ...NullableTimestamp,
    description:
      'When the break ends that began at `paused_at`. While the session is paused, it moves with the time. Null: the student is not on a break.',
  },
  is_ended_by_staff: Type.Boolean({
    description:
      'Whether an instructor or administrator ended it before its time: while it was in progress, and it is graded as it was at `submitted_at`, or in the queue.',
  }),
};
const laboratory_id = Nullable(Type.Integer());

/** Attempts without their results, as lists show them. */
export const ExamAttemptSchema = Type.Object({ ...ofExam, ...shared }, { title: 'ExamAttempt' });
export const LaboratoryAttemptSchema = Type.Object({ laboratory_id, ...shared }, { title: 'LaboratoryAttempt' });

const messages = Type.Array(
  Type.Object(
    { id: Type.Integer(), text: Type.String(), created_at: Timestamp },
    { title: 'ExamMessage', description: 'A message of an instructor.' },
  ),
  { description: 'While the attempt is in progress, the newest last.' },
);

const break_seconds_left = Nullable(
  Type.Integer({
    minimum: 0,
    description: 'What is left of the breaks in an attempt in progress. Null where the student has none.',
  }),
);
/** The answer to the start and the end of a break. */
export const AttemptBreakSchema = Type.Object(
  {
    attempt_id: Type.Integer(),
    expires_at: NullableTimestamp,
    paused_at: ofExam.paused_at,
    break_ends_at: ofExam.break_ends_at,
    break_seconds_left,
  },
  { title: 'AttemptBreak' },
);

const ended_by = Nullable(
  Type.String({
    description:
      'The full name, or the username, of who ended it, where `is_ended_by_staff`. Null as well once that account is deleted.',
  }),
);

export const ExamResultsSchema = Type.Object(
  { ...ofExam, ended_by, break_seconds_left, messages, ...withResults },
  { title: 'ExamResults' },
);
export const LaboratoryResultsSchema = Type.Object({ laboratory_id, ...withResults }, { title: 'LaboratoryResults' });

/** For staff. */
export const AssessmentRevision = Type.Object(
  {
    revision: Type.Integer(),
    recorded_at: { ...Timestamp, description: 'When it was published, or when the first attempt of it started.' },
    ...answered(Type.Omit(Assessment, ['id', 'slug', 'user', 'is_active', ...openingColumns, 'created_at']).properties),
    max_score: Type.Number(),
    is_sequential: Type.Boolean(),
    tasks: Type.Array(RevisionTask),
  },
  {
    title: 'AssessmentRevision',
    description: 'An exam or laboratory as it is or was: what attempts are shown and graded by.',
  },
);

/** The answer to a start, apart from the id of what was started. */
export const startedProperties = {
  attempt_id: Type.Integer(),
  container_id: Nullable(Type.Integer({ description: 'Null: no task needs a machine.' })),
  container_name: Type.String(),
  status: OneOf(...statusesThat.hasLeftQueue),
  started_at: Timestamp,
  expires_at: NullableTimestamp,
};

/** Whether a caller sees checks and right answers: a personal token shows them with the scope of content only. */
export const seesChecks = (caller: Pick<Caller, 'role' | 'tokenScopes'> | undefined): boolean =>
  caller !== undefined && caller.role !== 'student' && (caller.tokenScopes?.includes('content') ?? true);

export function toStarted({ attempt, container }: StartedAttempt) {
  const { id: attempt_id, container_name, started_at, expires_at, session_id } = attempt;
  const status = attempt.status as (typeof statusesThat.hasLeftQueue)[number];
  return {
    attempt_id,
    container_id: container?.id ?? null,
    container_name,
    status,
    started_at,
    expires_at,
    session_id,
  };
}

// An attempt that is still starting is never shown.
const wireStatus = ({ status }: AttemptRow) => status as ListedStatus;

/** The solutions of an exam or a laboratory that a caller sees, in Markdown, by the ids of the tasks. */
export type Solutions = ReadonlyMap<number, string>;

/** Who gets an answer about an attempt, and what it leaves out: the results, their output, or nothing. See `Visibility`. */
export type Audience = { isStaff: boolean; withheld: 'results' | 'output' | null };
/** Staff see everything. */
export const forStaff: Audience = { isStaff: true, withheld: null };
/** The rest of an answer. */
type Shown = { containerId: number | null; audience: Audience };

/** The reason of a failed grading is only for staff. */
function problemFor({ isStaff }: Audience, { grading_error, grading_error_code }: AttemptRow) {
  const isShown = isStaff || grading_error === null || grading_error === containerNotCreated.grading_error;
  return isShown ? { grading_error, grading_error_code } : gradingFailed;
}

/** Not where its user submitted it first. */
const isEndedByStaff = ({ ended_at, status }: AttemptRow): boolean => ended_at !== null && status !== 'finished';

/** An attempt in the API's format. */
export function toAttempt(attempt: AttemptRow, { containerId, audience }: Shown) {
  const { integrity, has_unrecorded_terminals, ended_at: _endedAt, ended_by: _endedBy, ...rest } = attempt;
  return {
    ...rest,
    ...assessmentIds(attempt),
    ...(audience.withheld === 'results' ? { score: null, passed: null } : {}),
    ...(attempt.status === 'queued' ? { expires_at: null } : {}),
    paused_at: attempt.status === 'in_progress' ? attempt.paused_at : null,
    break_ends_at: attempt.status === 'in_progress' ? attempt.break_ends_at : null,
    is_ended_by_staff: isEndedByStaff(attempt),
    status: wireStatus(attempt),
    container_id: containerId,
    ...problemFor(audience, attempt),
    ...(audience.isStaff ? { integrity, has_unrecorded_terminals } : {}),
  };
}

const shownResults = (results: TaskResultRow[], { withheld }: Audience): TaskResultRow[] => {
  if (withheld === 'results') return [];
  return withheld === 'output'
    ? results.map((result) => ({ ...result, output: '', remark: null, remark_codes: null }))
    : results;
};

export function toResults(
  {
    attempt,
    results,
    place: queued,
    messages = [],
    breakSecondsLeft: break_seconds_left = null,
    conclusion,
    endedBy = null,
    solutions,
  }: GradedAttempt & {
    place?: QueuePlace | undefined;
    messages?: AttemptMessage[];
    breakSecondsLeft?: number | null;
    conclusion?: string | null;
    endedBy?: string | null;
    solutions?: Solutions;
  },
  shown: Shown,
) {
  const isChecked = attempt.kind === 'laboratory' && attempt.status === 'in_progress' && results.length > 0;
  const checked = { score: sumOfPoints(results.map(({ points_earned }) => points_earned)) };
  // It may explain the solutions, so it comes with the results.
  const isConclusionShown = isGraded(attempt) && shown.audience.withheld !== 'results';
  return {
    ...toAttempt(attempt, shown),
    ...(isChecked ? checked : {}),
    ...queued,
    ended_by: isEndedByStaff(attempt) ? endedBy : null,
    messages,
    break_seconds_left,
    is_work_removed: attempt.work_removed_at !== null,
    graded_count: results.filter(({ graded_at }) => graded_at >= (attempt.submitted_at ?? attempt.started_at)).length,
    ...(conclusion === undefined ? {} : { conclusion: isConclusionShown ? conclusion : null }),
    results: shownResults(results, shown.audience).map((result) => {
      const solution = solutions?.get(result.task_id);
      return solution === undefined || solution === '' ? result : { ...result, solution };
    }),
  };
}

/** In the API's format. */
export function toRevision({ content, created_at, ...columns }: Revision): Static<typeof AssessmentRevision> {
  return { ...columns, ...content, recorded_at: created_at };
}
