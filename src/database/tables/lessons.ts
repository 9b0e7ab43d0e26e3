import type { Generated, GeneratedAlways } from 'kysely';
import type { OpeningFields, openingDefaults } from '../../entities/opening.ts';
import type { Json, Optional, WithDefaults } from './columns.ts';

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
  /** Students who finish it can have a certificate. */
  has_certificate: Generated<boolean>;
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

export type SectionsTable = WithDefaults<OpeningFields, typeof openingDefaults> & {
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
  /** Its file is among those written in the pages, not in the repository of its course. */
  is_written: Generated<boolean>;
};

/** A file of lessons that is written in the pages, as its newest revision left it. */
export type WrittenFilesTable = {
  id: GeneratedAlways<number>;
  path: string;
  revision: number;
  /** SHA-256 of its content. Null: it was deleted. */
  digest: Optional<string>;
  bytes: number;
  changed_at: Generated<Date>;
};

export type WrittenRevisionsTable = {
  /** In the order of all changes. */
  id: GeneratedAlways<number>;
  file_id: number;
  revision: number;
  path: string;
  digest: Optional<string>;
  bytes: number;
  message: Generated<string>;
  /** Null: an import, or a user who was deleted. */
  author_id: Optional<number>;
  created_at: Generated<Date>;
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

/** A repository of lessons. Without a branch, it is the one that the repository names. */
export type LessonAddress = { url: string; branch: string | null };
/** A repository with its credentials. Without an id it is not stored. */
export type LessonRepository = LessonAddress & {
  id: number | undefined;
  username: string | null;
  sealed_key: Buffer | null;
};

/** A secret with which a Git host signs the pushes of a repository. */
export type PushSecretsTable = {
  /** In the address that the host is given. */
  id: GeneratedAlways<number>;
  /** Null: the repository of the service. */
  repository_id: Optional<number>;
  /** Encrypted by `TextSeal`. */
  sealed_secret: Buffer;
  /** The last push with the secret. */
  pushed_at: Optional<Date>;
};

/** A commit of the repository of the service that a process has seen. A trigger reports it to webhooks. */
export type LessonCommitsTable = { commit: string; seen_at: Generated<Date> };

/** A push that was taken, by a hash of its id or its body. */
export type TakenPushesTable = { push_secret_id: number; digest: string; taken_at: Generated<Date> };
