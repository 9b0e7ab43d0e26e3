import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { Static } from 'typebox';
import type { Assessment, revisionTexts } from '../../entities/assessment.ts';
import type { RevisionTask } from '../../entities/task.ts';
import type { AttemptKind } from './attempts.ts';
import type { Optional } from './columns.ts';

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
