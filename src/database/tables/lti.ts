import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { Optional } from './columns.ts';

/** A key with which this service signs messages to platforms. */
export type LtiKeysTable = {
  /** The `kid`. */
  id: Generated<string>;
  sealed_key: Buffer;
  public_key: ColumnType<Record<string, unknown>, string, never>;
  created_at: Generated<Date>;
};

export type LtiPlatformsTable = {
  id: GeneratedAlways<number>;
  name: string;
  issuer: string;
  client_id: string;
  authorization_url: string;
  token_url: string;
  jwks_url: string;
  /** For whom access tokens are requested. Null: the token URL. */
  token_audience: Optional<string>;
  deployment_ids: Generated<string[]>;
  /** Whose pages may show this service in a frame. */
  origins: Generated<string[]>;
  is_active: Generated<boolean>;
  is_linking_by_email: Generated<boolean>;
  /** Instructors of its courses become instructors here. */
  makes_instructors: Generated<boolean>;
  created_at: Generated<Date>;
};

/** Why the class does not have the members of the course. */
export type CourseProblem = 'refused' | 'unreachable' | 'unreadable' | 'too_many';

/** A course of a platform, and the class that follows it. */
export type LtiContextsTable = {
  id: GeneratedAlways<number>;
  platform_id: number;
  deployment_id: string;
  context_id: string;
  title: string;
  /** Null: no instructor has chosen it yet. */
  class_id: Optional<number>;
  /** Of Names and Roles, and of Assignment and Grade Services. */
  memberships_url: Optional<string>;
  lineitems_url: Optional<string>;
  /** When the class last had the members of the course. */
  synchronized_at: Optional<Date>;
  problem: Optional<CourseProblem>;
  /** When its members are read next. */
  synchronize_at: Generated<Date>;
  created_at: Generated<Date>;
};

/** A link in a course of a platform, and what it shows. With none of the three it shows the class. */
export type LtiResourceLinksTable = {
  id: GeneratedAlways<number>;
  /** Of the row of the course. */
  course_id: number;
  resource_link_id: string;
  theme_id: Optional<number>;
  laboratory_id: Optional<number>;
  laboratory_kind: Generated<'laboratory'>;
  exam_session_id: Optional<number>;
  /** Of the column of grades that belongs to the link. */
  lineitem_url: Optional<string>;
  created_at: Generated<Date>;
};

/** A member of a class because of a platform's course. */
export type LtiMembersTable = { course_id: number; user_id: number };

export type GradeProblem = 'refused' | 'unreachable' | 'no_column';

/** The grade that the book of a platform is to have. */
export type LtiGradesTable = {
  link_id: number;
  user_id: number;
  /** Null: nothing counts any more. */
  score: number | null;
  max_score: number;
  /** Later than that of every grade before. */
  changed_at: Generated<Date>;
  status: Generated<'waiting' | 'sent' | 'failed'>;
  attempts: Generated<number>;
  due_at: Generated<Date>;
  problem: Optional<GradeProblem>;
  is_sent: Generated<boolean>;
};
