import type { Generated, GeneratedAlways } from 'kysely';
import type { Task, taskDefaults, VerdictKind } from '../../entities/task.ts';
import type { Optional, WithDefaults } from './columns.ts';

/** The account of a container that its student works as. */
export type StudentAccount = 'student' | 'root';

export type { VerdictKind };

/** Common columns of exams and laboratories. */
export type SubjectColumns = {
  id: GeneratedAlways<number>;
  title: string;
  slug: Optional<string>;
  description: Generated<string>;
  container_image: string;
  /** The account of students in the container. */
  user: Generated<StudentAccount>;
  passing_score: number;
  is_active: Generated<boolean>;
  created_at: Generated<Date>;
  /** Shown to students before the start and beside the tasks. */
  introduction: Generated<string>;
  /** Shown to students with the results of an attempt that has ended. */
  conclusion: Generated<string>;
  /** Bash that prepares a new container, as root. */
  setup_script: Optional<string>;
};

export type ExamsTable = SubjectColumns & {
  time_limit_minutes: number;
  /** It starts for nobody outside of exam sessions. */
  is_session_only: Generated<boolean>;
  course_id: Optional<number>;
  order_index: Generated<number>;
};

export type LaboratoriesTable = SubjectColumns & {
  /** A task opens when the one before has passed. */
  is_sequential: Generated<boolean>;
  time_limit_minutes: Optional<number>;
  section_id: Optional<number>;
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
