import type { Generated, GeneratedAlways } from 'kysely';
import type { AttemptKind } from './attempts.ts';
import type { Json, Optional } from './columns.ts';

export type ActivityLogTable = {
  id: GeneratedAlways<string>;
  /** The user it is about. */
  user_id: Optional<number>;
  /** The user who acted. */
  actor_id: Optional<number>;
  type: string;
  title: Generated<string>;
  entity_type: Optional<string>;
  entity_id: Optional<number>;
  details: Json<Record<string, unknown>>;
  created_at: Generated<Date>;
};

/** What can be restored after its deletion. The words are those of the activity log. */
export type DeletedKind =
  | 'course'
  | 'section'
  | 'theme'
  | AttemptKind
  | 'exam_task'
  | 'laboratory_task'
  | 'sandbox_template'
  | 'registration_code'
  | 'identity_provider'
  | 'lti_platform'
  | 'class'
  | 'class_join_code'
  | 'class_grade_column'
  | 'exam_session'
  | 'announcement'
  | 'note';

export type DeletionsTable = {
  id: GeneratedAlways<number>;
  kind: DeletedKind;
  entity_id: number;
  title: string;
  /** The class that it belonged to. */
  class_id: Optional<number>;
  /** The course that it belonged to, or that it was. */
  course_id: Optional<number>;
  deleted_by: Optional<number>;
  deleted_at: Generated<Date>;
};

/** Rows that were deleted, and columns that were cleared; database/deletions/ reads and writes them in its own SQL. */
export type DeletedRowsTable = {
  id: GeneratedAlways<string>;
  deletion_id: number;
  table_name: string;
  /** The row still exists: `data` are its columns that the deletion cleared. */
  is_reference: boolean;
  key: Json<object>;
  data: Json<object>;
  user_id: Optional<number>;
};

export type DeletedTasksTable = {
  kind: AttemptKind;
  assessment_id: number;
  task_id: number;
  title: string;
  points: number;
  order_index: number;
};
