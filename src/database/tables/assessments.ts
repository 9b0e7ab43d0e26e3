import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { Static } from 'typebox';
import type {
  Assessment,
  assessmentDefaults,
  ExamFields,
  LaboratoryFields,
  revisionTexts,
  StudentAccount,
} from '../../entities/assessment.ts';
import type { RevisionTask, Task, taskDefaults, VerdictKind } from '../../entities/task.ts';
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

/** An exam or a laboratory as it is or was when attempts started. Only `is_current` changes. */
export type RevisionsTable = {
  id: GeneratedAlways<number>;
  kind: AttemptKind;
  /** Null when it was deleted. */
  assessment_id: Optional<number>;
  /** SHA-256 of all that it consists of. */
  digest: string;
  container_image: string;
  setup_key: Optional<string>;
  time_limit_minutes: Optional<number>;
  passing_score: number;
  max_score: number;
  is_sequential: boolean;
  /** See `RevisionContent`. */
  content: ColumnType<RevisionContent, string, never>;
  /** Nothing has changed since. Triggers end it. */
  is_current: Generated<boolean>;
  created_at: Generated<Date>;
};

/** The texts, tasks and files of a revision. Tasks and files are in their order. */
export type RevisionContent = Pick<Assessment, (typeof revisionTexts)[number]> & {
  tasks: RevisedTask[];
  files: RevisedFile[];
};

export type RevisedTask = Static<typeof RevisionTask>;

export type RevisedFile = {
  task_id: number | null;
  path: string;
  owner: string;
  mode: string;
  bytes: number;
  digest: string;
};
