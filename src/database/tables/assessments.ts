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
import type { KindField } from '../../entities/task-kinds/kinds.ts';
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
  /** The id of what it is a copy of, through all copies in between. Null: it is no copy. */
  origin_id: Optional<number>;
  /** From 1. A trigger raises it in each transaction that changes what is shown or graded. */
  revision: Generated<number>;
};

export type AssessmentTasksTable = WithDefaults<Omit<Task, 'id' | KindField>, typeof taskDefaults> & {
  /** Of its exam or laboratory. Its own `kind` is how it is solved. */
  assessment_kind: AttemptKind;
  /** The fields of its kind, see entities/task-kinds. */
  kind_fields: Generated<Record<string, unknown>>;
  /** Unique within its kind. */
  id: GeneratedAlways<number>;
  assessment_id: number;
};

/** A reason for which a task gives points, or takes them. People grade by them. */
export type RubricItemsTable = {
  id: GeneratedAlways<number>;
  kind: AttemptKind;
  assessment_id: number;
  task_id: number;
  text: string;
  points: number;
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

/** An exam or a laboratory as it is or was when attempts started. It never changes. */
export type RevisionsTable = {
  id: GeneratedAlways<number>;
  kind: AttemptKind;
  /** Null when it was deleted. */
  assessment_id: Optional<number>;
  /** That of its exam or laboratory when it was recorded. It is current while that has the same. */
  revision: number;
  container_image: string;
  setup_key: Optional<string>;
  time_limit_minutes: Optional<number>;
  passing_score: number;
  max_score: number;
  is_sequential: boolean;
  /** Attempts draw something of it. */
  is_varied: Generated<boolean>;
  needs_machine: Generated<boolean>;
  /** See `RevisionContent`. */
  content: ColumnType<RevisionContent, string, never>;
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
