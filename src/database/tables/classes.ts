import type { Generated, GeneratedAlways } from 'kysely';
import type { AttemptKind } from './attempts.ts';
import type { Optional } from './columns.ts';
import type { CountedAttempt } from './exam-sessions.ts';

export type ClassRole = 'student' | 'assistant' | 'instructor';

export type ClassesTable = {
  id: GeneratedAlways<number>;
  name: string;
  description: Generated<string>;
  is_archived: Generated<boolean>;
  /** Its assistants grade, outside of exam sessions, what people grade. */
  has_assistant_graders: Generated<boolean>;
  created_at: Generated<Date>;
};

/** The role in the class is independent of the user's own. */
export type ClassMembersTable = { class_id: number; user_id: number; role: ClassRole; joined_at: Generated<Date> };

/** A code with which users join a class. */
export type ClassJoinCodesTable = {
  id: GeneratedAlways<number>;
  class_id: number;
  code: string;
  expires_at: Optional<Date>;
  max_uses: Optional<number>;
  uses: Generated<number>;
  /** In ASCII and lower case. Null: any. */
  email_domain: Optional<string>;
  created_at: Generated<Date>;
};

/** Until when a class is to pass a laboratory. */
export type LaboratoryDeadlinesTable = {
  class_id: number;
  laboratory_id: number;
  laboratory_kind: Generated<'laboratory'>;
  due_at: Date;
  /** Percent of the grade that each day of lateness costs. Null: none. */
  late_percent_per_day: Optional<number>;
  /** Percent of the grade that no lateness takes. */
  late_floor_percent: Generated<number>;
};

/** When a section, an exam or a laboratory opens for a class. Either the section or the assessment is there. */
export type ClassOpeningsTable = {
  id: GeneratedAlways<number>;
  class_id: number;
  section_id: Optional<number>;
  assessment_kind: Optional<AttemptKind>;
  assessment_id: Optional<number>;
  opens_at: Date;
};

/** The own deadline of a student in a laboratory of a class. */
export type DeadlineExtensionsTable = { class_id: number; laboratory_id: number; user_id: number; due_at: Date };

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
