import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { Optional } from './columns.ts';

export type CountedAttempt = 'best' | 'last' | 'first';
export type ResultsVisible = 'at_end' | 'after_close' | 'when_released' | 'never';

/** A time in which the students of a class, or chosen ones, take an exam. */
export type ExamSessionsTable = {
  id: GeneratedAlways<number>;
  exam_id: number;
  /** For the foreign key. */
  exam_kind: Generated<'exam'>;
  /** Null: for chosen students. */
  class_id: Optional<number>;
  title: string;
  opens_at: Date;
  closes_at: Date;
  /** Null: the exam's. */
  time_limit_minutes: Optional<number>;
  max_attempts: Optional<number>;
  counted_attempt: Generated<CountedAttempt>;
  access_code_hash: Optional<string>;
  /** In CIDR notation. None: from anywhere. */
  networks: Generated<string[]>;
  results_visible: Generated<ResultsVisible>;
  is_output_visible: Generated<boolean>;
  /** Its attempts leave their users one login, and no other containers. */
  is_locked_down: Generated<boolean>;
  /** Whether those who take the exam may raise a hand. */
  has_hands: Generated<boolean>;
  /** For so many days after the results are shown a review can be asked for. Null: not at all. */
  review_days: Optional<number>;
  /** The grading page shows no names. */
  has_hidden_names: Generated<boolean>;
  /** By how many percent of the points of a task two graders may differ. Null: one person grades. */
  grader_tolerance_percent: Optional<number>;
  /** The assistants of its class grade, who otherwise only see. */
  has_assistant_graders: Generated<boolean>;
  /** What terminals tell of its attempts is counted. */
  has_signals: Generated<boolean>;
  paused_at: Optional<Date>;
  released_at: Optional<Date>;
  created_at: Generated<Date>;
};

/** The students of a session without a class, and its supervisors. */
export type ExamSessionUsersTable = {
  session_id: number;
  user_id: number;
  role: Generated<'student' | 'instructor'>;
  added_at: Generated<Date>;
};

/** The differences of a session for one student. Null: as for everybody. */
export type ExamAccommodationsTable = {
  session_id: number;
  user_id: number;
  /** Null: that of the class. */
  time_factor: Optional<number>;
  opens_at: Optional<Date>;
  closes_at: Optional<Date>;
  max_attempts: Optional<number>;
  /** Of each attempt. Null: those of the class; 0: none. */
  break_minutes: Optional<number>;
};

/** The differences of all sessions of a class for one student. */
export type ClassAccommodationsTable = {
  class_id: number;
  user_id: number;
  time_factor: Generated<number>;
  extra_attempts: Generated<number>;
  /** Of each attempt. Null: none. */
  break_minutes: Optional<number>;
};

/** A message of an instructor to those who take an exam in a session. */
export type ExamMessagesTable = {
  id: GeneratedAlways<number>;
  session_id: number;
  /** Null: to everybody. */
  user_id: Optional<number>;
  text: string;
  created_at: Generated<Date>;
};

/** A session whose checks run silently. There is no row while they do not. */
export type SilentChecksTable = {
  session_id: number;
  interval_minutes: number;
  started_at: Generated<Date>;
  /** When its room was last watched, to a minute. */
  watched_at: Generated<Date>;
};

/** What a silent check has found of a task. `none`: it has no result. */
export type TaskMark = { task_id: number; title: string; state: 'passed' | 'failed' | 'none' };

/** The newest silent check of an attempt. */
export type SilentLooksTable = {
  attempt_id: number;
  session_id: number;
  began_at: Date;
  /** Null: it runs, or its process has died. */
  ended_at: Optional<Date>;
  /** When these marks were found. Null: none were yet. */
  checked_at: Optional<Date>;
  marks_changed_at: Optional<Date>;
  marks: ColumnType<TaskMark[] | null, string | null, string | null>;
};

/** What was counted during an attempt of a session with signals. */
export type AttemptSignalsTable = {
  attempt_id: number;
  first_key_at: Optional<Date>;
  pastes: Generated<number>;
  longest_paste: Generated<number>;
  /** Keyed hashes. */
  networks: Generated<string[]>;
  commands: Generated<number>;
  /** The MinHash of its pairs of commands. Empty: there are none. */
  signature: Generated<number[]>;
};

/** A student asks for help: in an attempt, or at a sandbox. */
export type HandsTable = {
  id: GeneratedAlways<number>;
  user_id: number;
  attempt_id: Optional<number>;
  container_id: Optional<number>;
  course_id: Optional<number>;
  session_id: Optional<number>;
  title: string;
  text: string;
  raised_at: Generated<Date>;
  taken_by: Optional<number>;
  answer: Optional<string>;
};
