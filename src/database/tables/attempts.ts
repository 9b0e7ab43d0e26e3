import type { ColumnType, Generated, GeneratedAlways, Selectable } from 'kysely';
import type { resultTaskFields, Task, taskDefaults } from '../../entities/task.ts';
import type { AttemptStatus } from '../../values/attempt-status.ts';
import type { GradingErrorCode } from '../../values/grading-problem.ts';
import type { Remark } from '../../values/grading-remark.ts';
import type { Variant } from '../../values/variant.ts';
import type { Json, Optional, WithDefaults } from './columns.ts';

export type AttemptKind = 'exam' | 'laboratory';

export type AttemptsTable = {
  id: GeneratedAlways<number>;
  kind: AttemptKind;
  /** Null when it was deleted. */
  assessment_id: Optional<number>;
  user_id: number;
  title: string;
  container_name: string;
  status: AttemptStatus;
  created_at: Generated<Date>;
  started_at: Generated<Date>;
  expires_at: Optional<Date>;
  submitted_at: Optional<Date>;
  /** The process that starts or grades it, or last did so. Null for a queued attempt that waits for its turn. */
  process_id: Optional<number>;
  /** When the owner of a queued attempt last asked for it. */
  asked_at: Optional<Date>;
  /** Updated during grading; a stale value indicates a dead process. */
  grading_beat_at: Optional<Date>;
  /** Why its grading failed, or why it ended without a result. */
  grading_error: Optional<string>;
  /** Null for an older error as well. */
  grading_error_code: Optional<GradingErrorCode>;
  score: Optional<number>;
  max_score: number;
  passing_score: number;
  passed: Optional<boolean>;
  integrity: Json<string[]>;
  session_id: Optional<number>;
  /** That of its assessment when its clock started. Null before that, and without a limit. */
  time_limit_minutes: Optional<number>;
  /** What pauses and extensions added to its time. */
  extra_seconds: Generated<number>;
  /** Its clock has been stopped since then. */
  paused_at: Optional<Date>;
  /** The time of its breaks that have ended. */
  break_seconds: Generated<number>;
  /** Since when the machine stands still, during a break. */
  held_at: Optional<Date>;
  /** When the break ends that began at `paused_at`. Null: its user is not on a break. */
  break_ends_at: Optional<Date>;
  /** That of its session at the start. */
  is_locked_down: Generated<boolean>;
  /** When the lock last refused a login with the right password. A supervisor's release clears it. */
  login_refused_at: Optional<Date>;
  /** A terminal was opened without a recording, because its user had not agreed. */
  has_unrecorded_terminals: Generated<boolean>;
  /** Since when only its results are left. */
  work_removed_at: Optional<Date>;
  /** When somebody else ended it before its time. */
  ended_at: Optional<Date>;
  /** Who did. Null as well once the account is deleted. */
  ended_by: Optional<number>;
  /** What its deleted session does not show to its user. */
  withheld: Optional<'results' | 'output'>;
  /** What it is shown and graded by. Null: it ended before there were revisions, or began in an older release. */
  revision_id: Optional<number>;
  /** The number of that revision. A trigger sets it. */
  revision: Optional<number>;
  /** What it has drawn. Null: its revision has nothing to draw. */
  variant: Json<Variant>;
  /** It has ended, and tasks of it await a person. Until then it has no score. */
  is_awaiting_grading: Generated<boolean>;
  /** False: it has no container. */
  needs_machine: Generated<boolean>;
  /** The engine's identifier of the image that its container was created from. Null: not known. */
  image_id: Optional<string>;
};

export type TaskResultsTable = WithDefaults<
  Pick<Task, (typeof resultTaskFields)[number]>,
  Omit<typeof taskDefaults, 'order_index'>
> & {
  attempt_id: number;
  task_id: number;
  points_earned: number;
  passed: boolean;
  output: string;
  /** Beside the output, mostly why it is FAIL. */
  remark: Optional<string>;
  /** Null for a remark of an older release as well. */
  remark_codes: Json<Remark[]>;
  graded_at: Generated<Date>;
  /** When it first passed in the attempt. A trigger sets it. */
  solved_at: Optional<Date>;
  /** How often somebody has decided its points. 0: they are those of the check. */
  revision: Generated<number>;
  /** A person has to give its points. Until then it has none. */
  is_awaiting_grading: Generated<boolean>;
};

/** The answer to a task of an attempt, as it was saved last. The parts that its kind does not take are null. */
export type TaskAnswersTable = {
  attempt_id: number;
  task_id: number;
  choice_ids: Optional<number[]>;
  text: Optional<string>;
  file_name: Optional<string>;
  file_bytes: Optional<number>;
  saved_at: Generated<Date>;
};
/** The content of its file. */
export type TaskAnswerPartsTable = { attempt_id: number; task_id: number; part: number; content: Buffer };

/** Points that somebody gave in the place of those before. */
export type TaskDecisionsTable = {
  attempt_id: number;
  task_id: number;
  /** From 1, for each result. */
  revision: number;
  points_before: number;
  points_earned: number;
  /** Empty where the items of the rubric say why. */
  reason: string;
  /** Those that were chosen, as they were. Null: none was asked for. */
  rubric_items: Json<RubricItem[]>;
  /** The points are those of the items. */
  is_by_rubric: Generated<boolean>;
  /** The points are the mean of those of two graders. */
  is_mean: Generated<boolean>;
  decided_by: Optional<number>;
  decided_at: Generated<Date>;
};

/** What one of two graders gives for a result. */
export type TaskGradesTable = Pick<
  TaskDecisionsTable,
  'attempt_id' | 'task_id' | 'points_earned' | 'reason' | 'rubric_items'
> & {
  /** 1 for the first grader, 2 for the second. */
  position: number;
  grader_id: Optional<number>;
  is_by_rubric: boolean;
  graded_at: Generated<Date>;
};

export type RubricItem = { id: number; text: string; points: number };

/** Who works on a result. One for each grader. */
export type GradingClaimsTable = { user_id: number; attempt_id: number; task_id: number; expires_at: Date };

export type AttemptCommentsTable = {
  id: GeneratedAlways<number>;
  attempt_id: number;
  task_id: Optional<number>;
  /** Of the output of the task. */
  line: Optional<number>;
  recording_id: Optional<number>;
  /** From the start of the recording. */
  seconds: Optional<number>;
  text: string;
  author_id: Optional<number>;
  created_at: Generated<Date>;
};

/** A student asks for a review of a result, once an attempt. */
export type ReviewRequestsTable = {
  id: GeneratedAlways<number>;
  attempt_id: number;
  text: string;
  requested_at: Generated<Date>;
  /** Null, as the following: until it is answered. */
  outcome: Optional<'granted' | 'rejected'>;
  answer: Optional<string>;
  answered_by: Optional<number>;
  answered_at: Optional<Date>;
};

/** Why a part of the evidence of an attempt is missing. */
export type EvidenceNote =
  | 'container_lost'
  | 'layer_failed'
  | 'files_left_out'
  | 'recordings_missing'
  | 'storage_failed';

/** What an attempt left when it ended, see `features/evidence`. */
export type AttemptEvidenceTable = {
  attempt_id: number;
  /** Null: the attempt was reopened since. */
  container_uid: Optional<string>;
  status: 'keeping' | 'kept' | 'failed';
  /** The process that collects it. */
  process_id: Optional<number>;
  key: Optional<string>;
  kept_at: Optional<Date>;
  /** All of it, compressed. */
  bytes: Generated<number>;
  layer_bytes: Generated<number>;
  path_bytes: Generated<number>;
  notes: Generated<EvidenceNote[]>;
};

/** What an attempt was before it was reopened. */
export type AttemptEndingsTable = {
  id: GeneratedAlways<number>;
  attempt_id: number;
  status: 'finished' | 'expired' | 'abandoned';
  submitted_at: Optional<Date>;
  score: Optional<number>;
  max_score: number;
  passed: Optional<boolean>;
  results: ColumnType<Record<string, unknown>[], string>;
  decisions: ColumnType<Record<string, unknown>[], string>;
  /** Those of two graders. */
  grades: ColumnType<Record<string, unknown>[], string | undefined>;
  reopened_at: Generated<Date>;
  reopened_by: Optional<number>;
  /** Null: the time that was left. */
  minutes: Optional<number>;
};

/** The verdict of a check, as a result has it. */
export type Graded = Pick<
  Selectable<TaskResultsTable>,
  'passed' | 'points_earned' | 'output' | 'remark' | 'remark_codes' | 'has_partial_credit'
>;

/** Attempts are graded again. */
export type RegradesTable = {
  id: GeneratedAlways<number>;
  kind: AttemptKind;
  assessment_id: Optional<number>;
  session_id: Optional<number>;
  /** Null: each by its own. */
  revision: Optional<number>;
  reason: string;
  status: Generated<'running' | 'ready' | 'applied' | 'dropped'>;
  requested_by: Optional<number>;
  requested_at: Generated<Date>;
  decided_by: Optional<number>;
  decided_at: Optional<Date>;
};
export type RegradeAttemptsTable = {
  regrade_id: number;
  attempt_id: number;
  status: Generated<'waiting' | 'done' | 'evidence_gone' | 'failed'>;
  tries: Generated<number>;
};
export type RegradeDifferencesTable = {
  regrade_id: number;
  attempt_id: number;
  task_id: number;
  before: ColumnType<Graded, string>;
  after: ColumnType<Graded, string>;
  is_deterministic: boolean;
  /** The result stays: its check needs processes that are not restored. */
  needs_processes: Generated<boolean>;
  is_applied: Generated<boolean>;
};

/** A student asks to have an ended attempt back. */
export type ReopenRequestsTable = {
  attempt_id: number;
  requested_at: Generated<Date>;
  declined_at: Optional<Date>;
  declined_by: Optional<number>;
};

/** What a student has said about a task. */
export type TaskReportsTable = {
  id: GeneratedAlways<number>;
  user_id: number;
  attempt_id: number;
  kind: AttemptKind;
  task_id: number;
  task_title: string;
  text: string;
  /** The end of what its check printed last. */
  output: Optional<string>;
  reported_at: Generated<Date>;
  answer: Optional<string>;
  answered_by: Optional<number>;
  answered_at: Optional<Date>;
};

export type RecordingsTable = {
  id: GeneratedAlways<number>;
  attempt_id: number;
  /** The name of its file. */
  key: string;
  /** The terminal's size at the start. */
  cols: number;
  rows: number;
  started_at: Generated<Date>;
  /** Null while its shell runs, and after a crash until the next cleanup. */
  ended_at: Optional<Date>;
  bytes: Generated<number>;
  is_truncated: Generated<boolean>;
};
