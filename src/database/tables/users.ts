import type { Generated, GeneratedAlways } from 'kysely';
import type { TokenScope } from '../../values/token-scopes.ts';
import type { Json, Optional } from './columns.ts';

export type Role = 'student' | 'instructor' | 'admin';

export type UsersTable = {
  id: GeneratedAlways<number>;
  username: string;
  email: string;
  password_hash: string;
  role: Generated<Role>;
  full_name: Optional<string>;
  bio: Generated<string>;
  avatar_key: Optional<string>;
  is_active: Generated<boolean>;
  tokens_valid_from: Generated<Date | number>;
  /** The id of the only login that is valid, while an exam allows one. */
  locked_login: Optional<string>;
  /** Ids of logins that have ended before the others. */
  ended_logins: Generated<string[]>;
  has_second_factor: Generated<boolean>;
  /** It has results of a deleted user, and no name. */
  is_pseudonym: Generated<boolean>;
  /** When the user was last notified that the account will be deleted unless there is a login. */
  deletion_announced_at: Optional<Date>;
  created_at: Generated<Date>;
  last_login_at: Optional<Date>;
  /** The username, the address and the full name in lower case. */
  search_text: GeneratedAlways<string>;
};

/** A token that a user has made for a program. */
export type PersonalTokensTable = {
  id: GeneratedAlways<number>;
  user_id: number;
  name: string;
  scopes: TokenScope[];
  hash: string;
  created_at: Generated<Date>;
  expires_at: Date;
  last_used_at: Optional<Date>;
};

export type LoginThrottlesTable = { key: string; failures: number; last_failure_at: Date; blocked_until: Date };

/** A registration code. */
export type RegistrationCodesTable = {
  id: GeneratedAlways<number>;
  code: string;
  note: Optional<string>;
  expires_at: Optional<Date>;
  max_uses: Optional<number>;
  uses: Generated<number>;
  created_at: Generated<Date>;
};

/** A network that had to wait, by what it did too often. */
export type NetworkLimitsTable = {
  network: string;
  limit_met: string;
  times: Generated<number>;
  first_at: Generated<Date>;
  last_at: Generated<Date>;
};

/** A network (a keyed hash) from which an account has logged in. */
export type KnownDevicesTable = { user_id: number; device: string; last_login_at: Generated<Date> };

/** A login that the pages keep in a cookie. The hashes are keyed. */
export type LoginCookiesTable = {
  /** Of the part that stays the same. */
  family_hash: string;
  /** Of the part that each use replaces. */
  secret_hash: string;
  user_id: number;
  login: string;
  /** As the time of issue of a token: `tokens_valid_from` ends older ones. */
  valid_from: Date;
  /** When the latest values were replaced, the newest first. */
  replacements: Generated<Date[]>;
  expires_at: Date;
};

/** A login whose tokens may still be valid, for its user. */
export type LoginsTable = {
  id: GeneratedAlways<number>;
  user_id: number;
  login: string;
  /** From the user agent. Empty: it is unknown. */
  device: string;
  address: string;
  /** As the time of issue of a token: `tokens_valid_from` ends older ones. */
  valid_from: Date;
  created_at: Generated<Date>;
  last_used_at: Generated<Date>;
  expires_at: Date;
};

export type SecondFactorsTable = {
  user_id: number;
  sealed_secret: Buffer;
  /** Null while it is being set up. */
  confirmed_at: Optional<Date>;
  /** The period whose code was used last. */
  last_step: Generated<number>;
};

/** A user wants the account to be deleted. */
export type DeletionRequestsTable = { user_id: number; requested_at: Generated<Date> };

/** Whether a user agrees to recordings. */
export type RecordingConsentsTable = {
  user_id: number;
  is_given: boolean;
  /** Of the text that was shown. */
  version: number;
  decided_at: Generated<Date>;
};

/** A credential of WebAuthn. */
export type PasskeysTable = {
  id: GeneratedAlways<number>;
  user_id: number;
  credential: string;
  public_key: Buffer;
  counter: number;
  transports: string[];
  name: string;
  created_at: Generated<Date>;
  last_used_at: Optional<Date>;
};

/** A recovery code that is not used yet. The hash is keyed. */
export type RecoveryCodesTable = { user_id: number; code_hash: string };

/** An instructor looks at the pages of a student of a class. */
export type StudentViewsTable = {
  id: Generated<string>;
  viewer_id: number;
  /** With a negative id: the test student of the viewer. */
  student_id: number;
  /** Null for a test student. */
  class_id: Optional<number>;
  viewer_login: string;
  started_at: Date;
  expires_at: Date;
};

export type UserImportStatus = 'running' | 'done' | 'cancelled' | 'failed';

/** An import of users in the background. */
export type UserImportsTable = {
  id: GeneratedAlways<number>;
  actor_id: Optional<number>;
  status: Generated<UserImportStatus>;
  /** Users. */
  total: number;
  /** Of a failed import: the items of a 422. */
  problems: Json<object[]>;
  created_at: Generated<Date>;
  finished_at: Optional<Date>;
};

/** A line of a running import, with the password that the file has for the user: first sealed, then hashed. */
export type UserImportLinesTable = {
  import_id: number;
  line: number;
  username: string;
  email: string;
  full_name: Optional<string>;
  role: Role;
  sealed_password: Optional<Buffer>;
  password_hash: Optional<string>;
};

/** Of a user who has no password yet. The code is a keyed hash. */
export type InvitationsTable = {
  user_id: number;
  import_id: Optional<number>;
  code_hash: Optional<string>;
  expires_at: Optional<Date>;
  created_at: Generated<Date>;
};
