import type { Generated, GeneratedAlways } from 'kysely';
import type { Optional } from './columns.ts';

/** What a mail is about. The first three and the last cannot be switched off. */
export type MailKind =
  | 'address'
  | 'password'
  | 'invitation'
  | 'exam_planned'
  | 'exam_moved'
  | 'results'
  | 'feedback'
  | 'hands'
  | 'account_deletion';
export type MailLanguage = 'en' | 'de' | 'ru';

/** The values in the text of a mail. Which of them it has depends on its kind. */
export type MailContent = {
  /** Of the exam session, the attempt or the assessment. */
  title?: string;
  /** The path of the page that it leads to. */
  path?: string;
  opens_at?: string;
  closes_at?: string;
  /** Until when its link is valid. */
  until?: string;
  /** The students with raised hands, and how many there are. */
  names?: string[];
  count?: number;
};

export type MailsTable = {
  id: GeneratedAlways<number>;
  user_id: number;
  kind: MailKind;
  /** What it is about: with `event_at` there is one mail of a user. */
  key: string;
  event_at: Generated<Date>;
  recipient: string;
  language: MailLanguage;
  content: MailContent;
  /** What its link proves. Deleted when the mail was sent. */
  sealed_secret: Optional<Buffer>;
  status: Generated<'queued' | 'sent' | 'failed'>;
  attempts: Generated<number>;
  /** Of the next attempt. While one runs, when it counts as lost. */
  due_at: Generated<Date>;
  expires_at: Date;
  /** The last answer of the mail server that was no success. */
  problem: Optional<string>;
  created_at: Generated<Date>;
  ended_at: Optional<Date>;
};

/** An address that a user has chosen where it has to be confirmed. Without a row the school has given it. */
export type AddressChecksTable = { user_id: number; email: string; verified_at: Optional<Date> };

/** The links in mails, of which only a keyed hash is stored. Triggers delete those for a password when it changes. */
export type MailTokensTable = {
  token_hash: string;
  user_id: number;
  purpose: 'password' | 'address';
  email: string;
  expires_at: Date;
};

/** Exam sessions whose students are still to be written to. Triggers write them. */
export type ExamPlansTable = {
  session_id: number;
  /** Who was added later. 0: all students. */
  user_id: Generated<number>;
  is_moved: boolean;
  changed_at: Generated<Date>;
};
