import type { Generated, GeneratedAlways } from 'kysely';
import type { ImagePart, ImageProblem } from '../../values/image-problems.ts';
import type { StudentAccount } from './assessments.ts';
import type { AttemptKind } from './attempts.ts';
import type { Optional } from './columns.ts';
import type { Role } from './users.ts';

/** A trial's container has no owner: an author's scripts run in it. */
export type ContainerKind = 'sandbox' | AttemptKind | 'trial';
/** Why a container was stopped, if not by its user: it was unused, its capacity was needed, its disk was full, its user takes an exam. */
export type StopReason = 'idle' | 'room' | 'disk' | 'exam';
export type ContainerStatus = 'creating' | 'warming' | 'warm' | 'running' | 'stopped' | 'failed' | 'removing';

export type SandboxTemplatesTable = {
  id: GeneratedAlways<number>;
  name: string;
  slug: string;
  description: Generated<string>;
  image: string;
  has_internet: Generated<boolean>;
  memory_mb: number;
  cpus: number;
  order_index: Generated<number>;
  is_active: Generated<boolean>;
  /** Users below this role neither see it nor create sandboxes from it. */
  minimum_role: Generated<Role>;
};

export type ContainersTable = {
  id: GeneratedAlways<number>;
  uid: Generated<string>;
  name: string;
  user_id: Optional<number>;
  kind: ContainerKind;
  image: string;
  /** The account that its user logs in to. */
  account: Generated<StudentAccount>;
  template_id: Optional<number>;
  attempt_id: Optional<number>;
  /** The number of this sandbox among those of its user, from 1; a unique index on it enforces the quota. */
  slot: Optional<number>;
  /** The engine's own identifier; null until the engine has answered. */
  engine_ref: Optional<string>;
  status: ContainerStatus;
  /** The process that created it. */
  process_id: Optional<number>;
  created_at: Generated<Date>;
  started_at: Optional<Date>;
  stopped_at: Optional<Date>;
  stop_reason: Optional<StopReason>;
  expires_at: Optional<Date>;
  /** When it had filled its disk: it is stopped, and started only for grading. */
  full_at: Optional<Date>;
  last_used_at: Generated<Date>;
  /** When its owner last typed in a terminal. */
  last_input_at: Generated<Date | null>;
  /** When its home folder is saved next, on an engine that keeps nothing else. Null: as soon as possible. */
  home_due_at: Optional<Date>;
  /** The state of its home folder at that time is saved. */
  home_saved_at: Optional<Date>;
  /** The engine's mark of the saved home folder. */
  home_mark: Optional<string>;
  /** The identifier of the lost container that this one replaces, until that one is removed. */
  lost_uid: Optional<string>;
  /** When it was found that the container is lost; null again when it is replaced. */
  lost_at: Optional<Date>;
  /** When it last replaced a lost container. */
  replaced_at: Optional<Date>;
  /** The time of the home folder that it began with then; null: with that of the image. */
  home_kept_at: Optional<Date>;
  /** The set-up that it was or is being prepared with, see `setup_key_of` in the database. Null: none. */
  setup_key: Optional<string>;
  /** The engine's identifier of its image. Null: not known. */
  image_id: Optional<string>;
};

/** A shell whose holder in its container keeps it when a process ends. */
export type TerminalsTable = {
  id: string;
  container_id: number;
  user_id: number;
  /** The process that serves it. Null: none. */
  process_id: number | null;
  /** The socket of its holder in the container. */
  holder: string;
  begun_at: Generated<Date>;
  /** The size of the picture. */
  cols: number;
  rows: number;
  /** The screen, compressed. Null: the holder has all output since the start. */
  picture: Optional<Buffer>;
  /** Bytes of output that the picture has. */
  picture_at: Generated<string | number>;
  /** Bytes of input of those who have typed along. */
  helper_bytes: Generated<string | number>;
};

/** An image of a registry that administrators or the staff of a course have added. */
export type ContainerImagesTable = {
  id: Generated<number>;
  name: string;
  reference: string;
  username: string | null;
  sealed_password: Optional<Buffer>;
  pulls: Generated<number>;
  state: Generated<'pulling' | 'ready' | 'failed' | 'removed'>;
  percent: Generated<number>;
  problem: Optional<ImageProblem>;
  lacks: Generated<ImagePart[]>;
  digest: Optional<string>;
  image_id: Optional<string>;
  examined_at: Optional<Date>;
  created_at: Generated<Date>;
  /** Null: administrators have added it. */
  course_id: Optional<number>;
  requested_at: Generated<Date>;
  /** The engine's identifiers of images that it has to delete as soon as nothing uses them. */
  stale_ids: Generated<string[]>;
};
