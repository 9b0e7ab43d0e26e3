import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

/** A nullable column that may be omitted on insert. */
type Optional<T> = ColumnType<T | null, T | null | undefined, T | null>;

/** A nullable jsonb column: read as a value, written as JSON text. */
type Json<T> = ColumnType<T | null, string | null | undefined, string | null>;

export type Role = 'student' | 'instructor' | 'admin';
export type ClassRole = 'student' | 'assistant' | 'instructor';
export type AttemptKind = 'exam' | 'laboratory';
export type AttemptStatus = 'queued' | 'starting' | 'in_progress' | 'grading' | 'finished' | 'abandoned' | 'expired';
/** A trial's container has no owner: an author's scripts run in it. */
export type ContainerKind = 'sandbox' | AttemptKind | 'trial';
/** Why a container was stopped, if not by its user: it was unused, its capacity was needed, its disk was full, its user takes an exam. */
export type StopReason = 'idle' | 'room' | 'disk' | 'exam';
export type ContainerStatus = 'creating' | 'warming' | 'warm' | 'running' | 'stopped' | 'failed' | 'removing';

/** How a check gives its verdict: PASS as its last line, exit status 0, or OK as its last line. */
export type VerdictKind = 'pass' | 'exit-status' | 'ok';

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
  /** Since then an exam allows one login only: tokens that were issued since, and the one that was issued at the other time. */
  login_locked_at: Optional<Date>;
  login_locked_token: Optional<Date>;
  created_at: Generated<Date>;
  last_login_at: Optional<Date>;
  /** The username, the address and the full name in lower case. */
  search_text: GeneratedAlways<string>;
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

/** The count of one network (a keyed hash) in the hour that started with its first registration. */
export type RegistrationCountsTable = { network: string; count: number; begins_at: Generated<Date> };

/** A network (a keyed hash) from which an account has logged in. */
export type KnownDevicesTable = { user_id: number; device: string; last_login_at: Generated<Date> };

export type ClassesTable = {
  id: GeneratedAlways<number>;
  name: string;
  description: Generated<string>;
  is_archived: Generated<boolean>;
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

export type CountedAttempt = 'best' | 'last' | 'first';
export type ResultsVisible = 'at_end' | 'after_close' | 'when_released' | 'never';

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
export type GradeBookSubjectsTable = {
  id: GeneratedAlways<number>;
  class_id: number;
  exam_id: Optional<number>;
  laboratory_id: Optional<number>;
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

/** A time in which the students of a class take an exam. */
export type ExamSessionsTable = {
  id: GeneratedAlways<number>;
  exam_id: number;
  class_id: number;
  title: string;
  opens_at: Date;
  closes_at: Date;
  /** Null: the exam's. */
  time_limit_minutes: Optional<number>;
  max_attempts: Optional<number>;
  counted_attempt: Generated<CountedAttempt>;
  access_code_hash: Optional<string>;
  /** In CIDR notation. None: from anywhere. */
  networks: Generated<string[]>;
  results_visible: Generated<ResultsVisible>;
  is_output_visible: Generated<boolean>;
  /** Its attempts leave their users one login, and no other containers. */
  is_locked_down: Generated<boolean>;
  paused_at: Optional<Date>;
  released_at: Optional<Date>;
  created_at: Generated<Date>;
};

/** The differences of a session for one student. Null: as for everybody. */
export type ExamAccommodationsTable = {
  session_id: number;
  user_id: number;
  /** Null: that of the class. */
  time_factor: Optional<number>;
  opens_at: Optional<Date>;
  closes_at: Optional<Date>;
  max_attempts: Optional<number>;
  /** Of each attempt. Null: those of the class. */
  break_minutes: Optional<number>;
};

/** The differences of all sessions of a class for one student. */
export type ClassAccommodationsTable = {
  class_id: number;
  user_id: number;
  time_factor: Generated<number>;
  extra_attempts: Generated<number>;
  /** Of each attempt. Null: none. */
  break_minutes: Optional<number>;
};

/** A message of an instructor to those who take an exam in a session. */
export type ExamMessagesTable = {
  id: GeneratedAlways<number>;
  session_id: number;
  /** Null: to everybody. */
  user_id: Optional<number>;
  text: string;
  created_at: Generated<Date>;
};

/** An announcement to a class, or to everybody. */
export type AnnouncementsTable = {
  id: GeneratedAlways<number>;
  /** Null: everybody. */
  class_id: Optional<number>;
  author_id: Optional<number>;
  title: string;
  text: Generated<string>;
  shows_from: Generated<Date>;
  shows_until: Optional<Date>;
  /** Whether its readers were notified. */
  is_due: Generated<boolean>;
  created_at: Generated<Date>;
  edited_at: Optional<Date>;
};

/** Until when a class is to pass a laboratory. */
export type LaboratoryDeadlinesTable = { class_id: number; laboratory_id: number; due_at: Date };

export type StoredNotificationKind = 'exam_opens' | 'time_left' | 'more_time' | 'results' | 'deadline';
/** Unread announcements are notifications as well, without a row of their own. */
export type NotificationKind = StoredNotificationKind | 'announcement';

export type NotificationsTable = {
  user_id: number;
  /** What it is about: a second notification of the same replaces the first. */
  key: string;
  kind: StoredNotificationKind;
  attempt_id: Optional<number>;
  session_id: Optional<number>;
  class_id: Optional<number>;
  laboratory_id: Optional<number>;
  /** That are left, or were added. */
  minutes: Optional<number>;
  until: Optional<Date>;
  created_at: Generated<Date>;
  read_at: Optional<Date>;
};

export type CoursesTable = {
  id: GeneratedAlways<number>;
  name: string;
  slug: string;
  description: Generated<string>;
  icon: Generated<string>;
  order_index: Generated<number>;
  is_active: Generated<boolean>;
  /** The template of the sandboxes beside its lessons. Sections and themes can name another one. */
  template_id: Optional<number>;
  /** Of the students, only members of its classes see it. */
  is_class_only: Generated<boolean>;
  /** Its lessons are read there. Null: from the lessons repository of the service. */
  repository_id: Optional<number>;
};

/** A course that was imported from a repository. */
export type CourseRepositoriesTable = {
  course_id: number;
  /** What the last import found. */
  outline: Json<object>;
  imported_at: Generated<Date>;
};

/** A Git repository that lessons of courses are read from. */
export type LessonRepositoriesTable = {
  id: GeneratedAlways<number>;
  name: string;
  url: string;
  /** Null: the branch that the repository names. */
  branch: Optional<string>;
  /** Sent with a token. */
  username: Optional<string>;
  /** A private SSH key or a token, encrypted by `TextSeal`. */
  sealed_key: Optional<Buffer>;
  /** Of the last successful update. */
  commit: Optional<string>;
  updated_at: Optional<Date>;
  /** Of the last update, if it failed. */
  error: Optional<string>;
  failed_at: Optional<Date>;
};

export type SectionsTable = {
  id: GeneratedAlways<number>;
  course_id: number;
  name: string;
  slug: string;
  order_index: Generated<number>;
  is_active: Generated<boolean>;
  template_id: Optional<number>;
};

export type ThemesTable = {
  id: GeneratedAlways<number>;
  section_id: number;
  title: string;
  slug: string;
  markdown_file_path: string;
  duration_minutes: Generated<number>;
  order_index: Generated<number>;
  template_id: Optional<number>;
};

export type ThemeProgressTable = {
  user_id: number;
  theme_id: number;
  completed: boolean;
  completed_at: Optional<Date>;
};

/** A note of a user at a paragraph; without a text it is a bookmark. */
export type LessonNotesTable = {
  id: GeneratedAlways<number>;
  user_id: number;
  theme_id: number;
  /** The id of the heading above the paragraph. */
  heading: Generated<string>;
  /** The beginning of the paragraph. */
  excerpt: string;
  text: Generated<string>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
  /** What the search finds it by. */
  words: GeneratedAlways<string>;
};

/** The text of a theme as the search knows it. The title and the section are those of the theme; a trigger keeps them. */
export type LessonTextsTable = {
  theme_id: number;
  section_id: number;
  title: string;
  /** What the text was read from; empty before it is read, and without a file. */
  source: Generated<string>;
  /** Without the marks of Markdown. */
  body: Generated<string>;
  words: GeneratedAlways<string>;
};

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

/** The account of a container that its student works as. */
export type StudentAccount = 'student' | 'root';

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
  course_id: Optional<number>;
  order_index: Generated<number>;
};
export type LaboratoriesTable = SubjectColumns & {
  /** A task opens when the one before has passed. */
  is_sequential: Generated<boolean>;
  time_limit_minutes: Optional<number>;
  section_id: Optional<number>;
};

export type TaskColumns = {
  id: GeneratedAlways<number>;
  title: string;
  slug: Optional<string>;
  description: Generated<string>;
  points: number;
  verification_script: string;
  verdict: Generated<VerdictKind>;
  solution_script: Optional<string>;
  /** Run after that of its exam or laboratory, in the order of the tasks. */
  setup_script: Optional<string>;
  order_index: Generated<number>;
};
export type ExamTasksTable = TaskColumns & { exam_id: number };
export type LaboratoryTasksTable = TaskColumns & { laboratory_id: number; hint: Generated<string> };

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

/** An exam or a laboratory as it is or was when attempts started. Only `is_current` changes. */
export type SubjectStatesTable = {
  id: GeneratedAlways<number>;
  /** Both are null when it was deleted. */
  exam_id: Optional<number>;
  laboratory_id: Optional<number>;
  /** SHA-256 of all that it consists of. */
  digest: string;
  container_image: string;
  setup_key: Optional<string>;
  time_limit_minutes: Optional<number>;
  passing_score: number;
  max_score: number;
  is_sequential: boolean;
  /** See `StateContent`. */
  content: ColumnType<StateContent, string, never>;
  /** Nothing has changed since. Triggers end it. */
  is_current: Generated<boolean>;
  created_at: Generated<Date>;
};

/** The texts, tasks and files of a state. Tasks and files are in their order. */
export type StateContent = {
  title: string;
  description: string;
  introduction: string;
  conclusion: string;
  user: StudentAccount;
  setup_script: string | null;
  tasks: StateTask[];
  files: StateFile[];
};
export type StateTask = {
  id: number;
  title: string;
  description: string;
  /** Only of laboratories. */
  hint?: string;
  points: number;
  order_index: number;
  verification_script: string;
  verdict: VerdictKind;
  setup_script: string | null;
};
export type StateFile = {
  task_id: number | null;
  path: string;
  owner: string;
  mode: string;
  bytes: number;
  digest: string;
};

export type AttemptsTable = {
  id: GeneratedAlways<number>;
  kind: AttemptKind;
  exam_id: Optional<number>;
  laboratory_id: Optional<number>;
  user_id: number;
  title: string;
  container_name: string;
  status: AttemptStatus;
  created_at: Generated<Date>;
  started_at: Generated<Date>;
  expires_at: Optional<Date>;
  submitted_at: Optional<Date>;
  /** The process that starts or grades it, or last did so. Null for a queued attempt that waits for its turn. */
  process_id: Optional<number>;
  /** When the owner of a queued attempt last asked for it. */
  asked_at: Optional<Date>;
  /** Updated during grading; a stale value indicates a dead process. */
  grading_beat_at: Optional<Date>;
  grading_error: Optional<string>;
  score: Optional<number>;
  max_score: number;
  passing_score: number;
  passed: Optional<boolean>;
  integrity: Json<string[]>;
  session_id: Optional<number>;
  /** That of its subject when its clock started. Null before that, and without a limit. */
  time_limit_minutes: Optional<number>;
  /** What pauses and extensions added to its time. */
  extra_seconds: Generated<number>;
  /** Its clock stands still since then. */
  paused_at: Optional<Date>;
  /** The time of its breaks that have ended. */
  break_seconds: Generated<number>;
  /** When the break ends that began at `paused_at`. Null: its user is not on a break. */
  break_ends_at: Optional<Date>;
  /** That of its session at the start. */
  is_locked_down: Generated<boolean>;
  /** What its deleted session does not show to its user. */
  withheld: Optional<'results' | 'output'>;
  /** What it is shown and graded by. Null: it ended before there were states, or began in an older release. */
  state_id: Optional<number>;
  /** The engine's identifier of the image that its container was created from. Null: not known. */
  image_id: Optional<string>;
};

export type TaskResultsTable = {
  attempt_id: number;
  task_id: number;
  title: string;
  order_index: number;
  points: number;
  points_earned: number;
  passed: boolean;
  output: string;
  graded_at: Generated<Date>;
  /** When it first passed in the attempt. A trigger sets it. */
  solved_at: Optional<Date>;
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

export type RecordingsTable = {
  id: GeneratedAlways<number>;
  attempt_id: number;
  /** The name of its file. */
  key: string;
  /** The terminal's size at the start. */
  cols: number;
  rows: number;
  started_at: Generated<Date>;
  /** Null while its shell runs, and after a crash until the next cleanup. */
  ended_at: Optional<Date>;
  bytes: Generated<number>;
  is_truncated: Generated<boolean>;
};

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
};

/** The counts of lists are read and written by database/lists/ alone, in its own SQL. */
export type DeletedTasksTable = {
  kind: AttemptKind;
  subject_id: number;
  task_id: number;
  title: string;
  points: number;
  order_index: number;
};

export type Tables = {
  installation: {
    is_only: Generated<boolean>;
    id: Generated<string>;
    created_at: Generated<Date>;
    counts_checked_at: Generated<Date>;
    /** Its data was made up by `npm run demo`, which the pages say. */
    is_demonstration: Generated<boolean>;
    /** When `npm run backup` last succeeded. */
    backed_up_at: Optional<Date>;
  };
  users: UsersTable;
  login_throttles: LoginThrottlesTable;
  registration_codes: RegistrationCodesTable;
  registration_counts: RegistrationCountsTable;
  known_devices: KnownDevicesTable;
  classes: ClassesTable;
  class_members: ClassMembersTable;
  class_courses: { class_id: number; course_id: number };
  class_join_codes: ClassJoinCodesTable;
  grade_books: GradeBooksTable;
  grade_book_subjects: GradeBookSubjectsTable;
  grade_columns: GradeColumnsTable;
  grade_values: GradeValuesTable;
  exam_sessions: ExamSessionsTable;
  exam_accommodations: ExamAccommodationsTable;
  class_accommodations: ClassAccommodationsTable;
  exam_messages: ExamMessagesTable;
  announcements: AnnouncementsTable;
  announcement_reads: { announcement_id: number; user_id: number; read_at: Generated<Date> };
  laboratory_deadlines: LaboratoryDeadlinesTable;
  notifications: NotificationsTable;
  notification_settings: { user_id: number; muted: Generated<NotificationKind[]> };
  courses: CoursesTable;
  course_repositories: CourseRepositoriesTable;
  lesson_repositories: LessonRepositoriesTable;
  sections: SectionsTable;
  themes: ThemesTable;
  theme_progress: ThemeProgressTable;
  lesson_notes: LessonNotesTable;
  lesson_texts: LessonTextsTable;
  sandbox_templates: SandboxTemplatesTable;
  exams: ExamsTable;
  laboratories: LaboratoriesTable;
  exam_tasks: ExamTasksTable;
  laboratory_tasks: LaboratoryTasksTable;
  setup_files: SetupFilesTable;
  setup_contents: SetupContentsTable;
  setup_content_parts: SetupContentPartsTable;
  subject_states: SubjectStatesTable;
  subject_state_contents: { state_id: number; digest: string };
  attempts: AttemptsTable;
  task_results: TaskResultsTable;
  containers: ContainersTable;
  recordings: RecordingsTable;
  terminals: TerminalsTable;
  activity_log: ActivityLogTable;
  deleted_tasks: DeletedTasksTable;
};
