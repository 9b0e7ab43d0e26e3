import type { Generated, GeneratedAlways } from 'kysely';
import type { resultTaskFields, Task, taskDefaults } from '../../entities/task.ts';
import type { AttemptStatus } from '../../values/attempt-status.ts';
import type { GradingErrorCode } from '../../values/grading-problem.ts';
import type { Remark } from '../../values/grading-remark.ts';
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
  /** When somebody else ended it before its time. */
  ended_at: Optional<Date>;
  /** Who did. Null as well once the account is deleted. */
  ended_by: Optional<number>;
  /** What its deleted session does not show to its user. */
  withheld: Optional<'results' | 'output'>;
  /** What it is shown and graded by. Null: it ended before there were revisions, or began in an older release. */
  revision_id: Optional<number>;
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
