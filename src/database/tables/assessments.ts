import type { Generated, GeneratedAlways } from 'kysely';
import type {
  Assessment,
  assessmentDefaults,
  ExamFields,
  LaboratoryFields,
  StudentAccount,
} from '../../entities/assessment.ts';
import type { Task, taskDefaults, VerdictKind } from '../../entities/task.ts';
import type { Optional, WithDefaults } from './columns.ts';

export type { StudentAccount, VerdictKind };

/** Common columns of exams and laboratories. */
export type AssessmentColumns = WithDefaults<Omit<Assessment, 'id' | 'created_at'>, typeof assessmentDefaults> & {
  id: GeneratedAlways<number>;
  created_at: Generated<Date>;
};
export type ExamsTable = AssessmentColumns & WithDefaults<ExamFields, typeof assessmentDefaults>;
export type LaboratoriesTable = AssessmentColumns &
  WithDefaults<Omit<LaboratoryFields, 'time_limit_minutes'>, typeof assessmentDefaults> & {
    time_limit_minutes: Optional<number>;
  };

export type TaskColumns = WithDefaults<Omit<Task, 'id' | 'hint'>, typeof taskDefaults> & {
  id: GeneratedAlways<number>;
};
export type ExamTasksTable = TaskColumns & { exam_id: number };
export type LaboratoryTasksTable = TaskColumns & { laboratory_id: number; hint: Generated<string> };

/** The report of a trial that refused a publication, as JSON: the last of an author and an exam or a laboratory. */
export type RefusedPublicationsTable = {
  id: GeneratedAlways<number>;
  user_id: number;
  exam_id: Optional<number>;
  laboratory_id: Optional<number>;
  report: string;
  created_at: Generated<Date>;
};

/** A file that is put into new containers of an exam or a laboratory, or of one of its tasks. */
export type SetupFilesTable = {
  id: GeneratedAlways<number>;
  exam_id: Optional<number>;
  laboratory_id: Optional<number>;
  exam_task_id: Optional<number>;
  laboratory_task_id: Optional<number>;
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
/** The content of set-up files with this digest, now or in a state of an exam or a laboratory. */
export type SetupContentsTable = { digest: string; bytes: number; created_at: Generated<Date> };
export type SetupContentPartsTable = { digest: string; part: number; content: Buffer };
