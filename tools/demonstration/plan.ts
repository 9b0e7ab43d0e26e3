import type { Role } from '../../src/database/tables.ts';

/** Nobody receives mail there (RFC 2606). */
export const emailDomain = 'school.example';

export type Person = { username: string; email: string; full_name: string };

export type Task = { id: number; title: string; points: number; order_index: number };
/** An exam or a laboratory. */
export type Assessment = {
  id: number;
  title: string;
  passing_score: number;
  time_limit_minutes: number | null;
  tasks: Task[];
};
export type Laboratory = Assessment & { section_id: number | null };
export type Exam = Assessment & { time_limit_minutes: number };
export type Theme = { id: number; title: string; course_id: number; section_id: number; markdown_file_path: string };
export type Catalogue = {
  courses: { id: number; name: string }[];
  /** In the order in which they are learned. */
  themes: Theme[];
  exams: Exam[];
  laboratories: Laboratory[];
};

export type Student = Person & {
  /** The share of days on which the student works. 0: has not begun. */
  diligence: number;
  /** The probability with which a task of medium difficulty is solved. */
  ability: number;
};
export type Accommodation = { student: Student; time_factor: number; closes_at: Date | null };
export type Session = {
  exam: Exam;
  title: string;
  opens_at: Date;
  closes_at: Date;
  results_visible: 'at_end' | 'after_close' | 'when_released';
  released_at: Date | null;
  created_at: Date;
  accommodations: Accommodation[];
  /** Students who take it only after the service has started, in containers, or not at all. */
  awaited: Student[];
};
export type SchoolClass = {
  name: string;
  description: string;
  courseIds: number[];
  instructor: Person;
  assistant: Person | undefined;
  students: Student[];
  sessions: Session[];
};

export type Reading = { student: Student; theme: Theme; at: Date };
export type Attempt = {
  kind: 'exam' | 'laboratory';
  student: Student;
  assessment: Assessment;
  session: Session | undefined;
  started_at: Date;
  expires_at: Date | null;
  submitted_at: Date;
  /** Ended by its deadline. */
  isExpired: boolean;
  /** For each task. */
  verdicts: boolean[];
  score: number;
  isPassed: boolean;
};
/** Without a text it is a bookmark. */
export type Note = { student: Student; theme: Theme; excerpt: string; text: string; at: Date };
export type Announcement = {
  /** Undefined: everybody. */
  class: SchoolClass | undefined;
  author: Person;
  title: string;
  text: string;
  shows_from: Date;
  shows_until: Date | null;
  readers: Student[];
};
export type Work = { readings: Reading[]; attempts: Attempt[] };

/** All that is written. */
export type Plan = {
  administrator: Person;
  classes: SchoolClass[];
  work: Work;
  notes: Note[];
  announcements: Announcement[];
  /** When accounts and classes were created. */
  begin: Date;
};
/** Hashes of the passwords that the accounts get. */
export type Hashes = Record<Role, string>;
