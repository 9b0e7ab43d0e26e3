import type { Generated, GeneratedAlways } from 'kysely';
import type { AttemptKind } from './attempts.ts';
import type { Optional } from './columns.ts';
import type { CountedAttempt } from './exam-sessions.ts';

/** How a missing grade counts: as zero, or not at all. */
export type MissingRule = 'zero' | 'ignored';

/** The rules of a class's grade book. */
export type GradeBooksTable = {
  class_id: number;
  missing: Generated<MissingRule>;
  /** The number of a student's lowest grades that do not count. */
  drop_lowest: Generated<number>;
  /** A number as text, as all of `numeric`. */
  passing_percent: Optional<string>;
  /** Whether students see their own grades. */
  is_visible: Generated<boolean>;
};

export type GradeBookAssessmentsTable = {
  id: GeneratedAlways<number>;
  class_id: number;
  kind: AttemptKind;
  assessment_id: number;
  weight: Generated<string>;
  counted_attempt: Generated<CountedAttempt>;
};

/** A column of a grade book with typed values. */
export type GradeColumnsTable = {
  id: GeneratedAlways<number>;
  class_id: number;
  name: string;
  max_score: string;
  weight: Generated<string>;
  created_at: Generated<Date>;
};
export type GradeValuesTable = { column_id: number; user_id: number; value: string };
