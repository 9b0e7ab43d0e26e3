import type { Generated, GeneratedAlways } from 'kysely';
import type {
  Assessment,
  assessmentDefaults,
  ExamFields,
  LaboratoryFields,
  StudentAccount,
} from '../../entities/assessment.ts';
import type { Task, taskDefaults, VerdictKind } from '../../entities/task.ts';
import type { AttemptKind } from './attempts.ts';
import type { Optional, WithDefaults } from './columns.ts';

export type { StudentAccount, VerdictKind };

/** An exam or a laboratory. Those of the other kind have the defaults in the fields of one kind alone. */
export type AssessmentsTable = WithDefaults<
  Omit<Assessment & ExamFields & LaboratoryFields, 'id' | 'created_at' | 'time_limit_minutes'>,
  typeof assessmentDefaults
> & {
  kind: AttemptKind;
  /** Unique within its kind. */
  id: GeneratedAlways<number>;
  /** Null for a laboratory without a limit. */
  time_limit_minutes: Optional<number>;
  created_at: Generated<Date>;
};

export type AssessmentTasksTable = WithDefaults<Omit<Task, 'id'>, typeof taskDefaults> & {
  kind: AttemptKind;
  /** Unique within its kind. */
  id: GeneratedAlways<number>;
  assessment_id: number;
};

/** The report of a trial that refused a publication, as JSON: the last of an author and an exam or a laboratory. */
export type RefusedPublicationsTable = {
  id: GeneratedAlways<number>;
  user_id: number;
  kind: AttemptKind;
  assessment_id: number;
  report: string;
  created_at: Generated<Date>;
};

/** A file that is put into new containers of an exam or a laboratory, or of one of its tasks. */
export type AssessmentFilesTable = {
  id: GeneratedAlways<number>;
  kind: AttemptKind;
  assessment_id: number;
  /** Null: of the exam or laboratory itself. */
  task_id: Optional<number>;
  /** Absolute, in the container. */
  path: string;
  /** A user of the container, or `user:group`. */
  owner: string;
  /** Four octal digits. */
  mode: string;
  bytes: number;
  /** SHA-256 of its content. */
  digest: string;
};
/** The content of set-up files with this digest, now or in a revision of an exam or a laboratory. */
export type SetupContentsTable = { digest: string; bytes: number; created_at: Generated<Date> };
export type SetupContentPartsTable = { digest: string; part: number; content: Buffer };
