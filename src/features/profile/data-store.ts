import { type RawBuilder, sql } from 'kysely';
import { statusSql } from '../../database/attempt-status.ts';
import type { Database } from '../../database/connection/connect.ts';
import { hasShownResults, withheld } from '../../database/exam-session-rules.ts';

/** Rows that are read at once: an output has at most 64 KiB, and so much is in memory. */
const batch = 200;

/** As the answers about attempts: nothing of an exam before its end, and nothing that its session withholds. */
const areShown = sql`(attempts.kind = 'laboratory' or ${statusSql.isGraded('attempts')}) and ${sql.raw(hasShownResults)}`;
/** What was said about an attempt, or done to it, says nothing before its results are shown. */
const isOfShown = (attemptId: string): RawBuilder<unknown> =>
  sql`not exists (select from attempts where attempts.id = ${sql.ref(attemptId)} and not ${sql.raw(hasShownResults)})`;
const ofAttempts = (columns: string, table: string): RawBuilder<unknown> =>
  sql`select ${sql.raw(columns)} from ${sql.raw(table)} join attempts on attempts.id = attempt_id where attempts.user_id = `;

/**
 * What the service has of a user, as queries that end before the id. Never secrets, scripts, results that are withheld, or others' names.
 * `test/api/own-data.test.ts` finds a column with a user that is neither here nor has a reason there.
 */
export const ownData: Record<string, { about: string; rows: (userId: number) => RawBuilder<unknown> }> = {
  profile: {
    about: 'the account',
    rows: (id) =>
      sql`select id, username, email, role, full_name, bio, is_active, created_at, last_login_at from users where id = ${id}`,
  },
  logins: {
    about: 'devices that can be logged in, with their addresses',
    rows: (id) =>
      sql`select device, address, created_at, last_used_at, expires_at from logins where user_id = ${id} order by id`,
  },
  passkeys: {
    about: 'passkeys, without their keys',
    rows: (id) => sql`select name, created_at, last_used_at from passkeys where user_id = ${id} order by id`,
  },
  tokens: {
    about: 'tokens for programs, without the tokens',
    rows: (id) =>
      sql`select name, scopes, created_at, expires_at, last_used_at from personal_tokens where user_id = ${id} order by id`,
  },
  identities: {
    about: 'logins at identity providers',
    rows: (id) =>
      sql`select subject, proven_email, created_at, last_login_at from user_identities where user_id = ${id} order by id`,
  },
  addresses: {
    about: 'the confirmation of the address',
    rows: (id) => sql`select email, verified_at from address_checks where user_id = ${id}`,
  },
  notification_settings: {
    about: 'what is not notified or mailed',
    rows: (id) => sql`select muted, mails_off, language from notification_settings where user_id = ${id}`,
  },
  notifications: {
    about: 'notifications',
    rows: (id) =>
      sql`select kind, minutes, until, created_at, read_at from notifications where user_id = ${id}
        and (kind not in ('results', 'grade') or ${isOfShown('notifications.attempt_id')}) order by created_at, key`,
  },
  mails: {
    about: 'mails to the address',
    rows: (id) =>
      sql`select kind, recipient, language, content - 'names' as content, status, created_at from mails where user_id = ${id} order by mails.id`,
  },
  classes: {
    about: 'classes, with the role in each',
    rows: (id) =>
      sql`select name, role, joined_at from class_members join classes on id = class_id where user_id = ${id} order by class_id`,
  },
  courses: {
    about: 'courses, as their staff',
    rows: (id) =>
      sql`select name, role from course_staff join courses on id = course_id where user_id = ${id} order by course_id`,
  },
  progress: {
    about: 'lessons that were completed',
    rows: (id) =>
      sql`select title, completed, completed_at from theme_progress join themes on id = theme_id where user_id = ${id} order by theme_id`,
  },
  notes: {
    about: 'notes in lessons',
    rows: (id) => sql`select title, heading, excerpt, text, created_at, updated_at from lesson_notes
      join themes on themes.id = theme_id where user_id = ${id} order by lesson_notes.id`,
  },
  grades: {
    about: 'grades of visible grade books that are no exams or laboratories',
    rows: (id) => sql`select name, value, max_score from grade_values join grade_columns on id = column_id
      join grade_books using (class_id) where is_visible and user_id = ${id} order by column_id`,
  },
  attempts: {
    about: 'exams and laboratories that were taken. The score is absent where it is not shown yet',
    rows: (
      id,
    ) => sql`select attempts.id, kind, title, status, created_at, started_at, submitted_at, max_score, passing_score,
      case when ${areShown} then score end as score, case when ${areShown} then passed end as passed
      from attempts where user_id = ${id} order by attempts.id`,
  },
  results: {
    about: 'results of tasks that are shown, with the output of their checks',
    rows: (id) =>
      sql`${ofAttempts(
        `attempt_id, task_id, task_results.title, points, points_earned, task_results.passed,
        case when ${withheld} is distinct from 'output' then output end as output,
        case when ${withheld} is distinct from 'output' then remark end as remark, graded_at`,
        'task_results',
      )}${id} and ${areShown} order by attempt_id, task_id`,
  },
  decisions: {
    about: 'points that a person gave, with the reason and the items of the rubric',
    rows: (id) =>
      sql`${ofAttempts('attempt_id, task_id, points_earned, reason, rubric_items, decided_at', 'task_decisions')}${id} and ${areShown}
        and ${sql.raw(withheld)} is distinct from 'output' order by 1, 2, decided_at`,
  },
  comments: {
    about: 'comments on attempts',
    rows: (id) =>
      sql`${ofAttempts('attempt_id, task_id, line, seconds, text, attempt_comments.created_at', 'attempt_comments')}${id}
        and ${areShown} and ${sql.raw(withheld)} is distinct from 'output' order by attempt_comments.id`,
  },
  signals: {
    about: 'what was counted while exams were taken: pasted text, networks, commands',
    rows: (id) =>
      sql`${ofAttempts(
        'attempt_id, first_key_at, pastes, longest_paste, cardinality(networks) as networks, commands',
        'attempt_signals',
      )}${id} and ${areShown} order by attempt_id`,
  },
  answers: {
    about: 'answers to tasks; the files are in files/',
    rows: (id) =>
      sql`${ofAttempts('attempt_id, task_id, choice_ids, text, file_name, file_bytes, saved_at', 'task_answers')}${id} order by 1, 2`,
  },
  reviews: {
    about: 'reviews that were asked for',
    rows: (id) =>
      sql`${ofAttempts('attempt_id, text, requested_at, outcome, answer, answered_at', 'review_requests')}${id} order by 1, 3`,
  },
  reopening: {
    about: 'ended attempts that were asked back',
    rows: (id) => sql`${ofAttempts('attempt_id, requested_at, declined_at', 'reopen_requests')}${id} order by 1`,
  },
  reports: {
    about: 'tasks that were reported',
    rows: (id) =>
      sql`select task_title, text, reported_at, answer, answered_at from task_reports where user_id = ${id} order by id`,
  },
  hands: {
    about: 'the raised hand',
    rows: (id) => sql`select title, text, raised_at, answer from hands where user_id = ${id}`,
  },
  certificates: {
    about: 'certificates',
    rows: (id) =>
      sql`select id, kind, title, name, earned_at, withdrawn_at from certificates where user_id = ${id} order by created_at, id`,
  },
  exam_sessions: {
    about: 'exam sessions that were opened for the user alone',
    rows: (id) => sql`select title, opens_at, closes_at, role, added_at from exam_session_users
      join exam_sessions on id = session_id where user_id = ${id} order by session_id`,
  },
  accommodations: {
    about: 'compensation in exams and classes, and later deadlines',
    rows: (
      id,
    ) => sql`select to_jsonb(t) - '{user_id,session_id}'::text[] as exam, null::jsonb as class, null::jsonb as deadline
        from exam_accommodations as t where user_id = ${id}
      union all select null, to_jsonb(t) - '{user_id}'::text[], null::jsonb from class_accommodations as t where user_id = ${id}
      union all select null, null, to_jsonb(t) - '{user_id}'::text[] from deadline_extensions as t where user_id = ${id} order by 1, 2, 3`,
  },
  announcements: {
    about: 'announcements that were read',
    rows: (id) =>
      sql`select title from announcement_reads join announcements on id = announcement_id where user_id = ${id} order by announcement_id`,
  },
  recording_consent: {
    about: 'whether recordings of terminals were agreed to',
    rows: (id) => sql`select is_given, version, decided_at from recording_consents where user_id = ${id}`,
  },
  deletion: {
    about: 'when the deletion of the account was asked for',
    rows: (id) => sql`select requested_at from deletion_requests where user_id = ${id}`,
  },
  activity: {
    about: 'what was logged',
    rows: (id) => sql`select type, title, created_at from activity_log where user_id = ${id}
        and (type not in ('admin_attempt_decide', 'admin_attempt_regrade') or ${isOfShown('activity_log.entity_id')}) order by activity_log.id`,
  },
};

export type OwnFile = { name: string; content: Buffer };
export type OwnRecording = { attempt_id: number; key: string };
export type OwnMachine = { attempt_id: number; account: 'student' | 'root'; submitted_at: Date | null };

/** All that belongs to one user, in parts of bounded size. */
export class DataStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async *rows(name: string, userId: number): AsyncGenerator<unknown[]> {
    const query = ownData[name]?.rows(userId) ?? sql``;
    for (let offset = 0; ; offset += batch) {
      const { rows } = await sql`${query} limit ${batch} offset ${offset}`.execute(this.#db);
      if (rows.length > 0 || offset === 0) yield rows;
      if (rows.length < batch) return;
    }
  }

  /** What was handed in. */
  async *files(userId: number): AsyncGenerator<OwnFile> {
    const { rows } = await sql<{ attempt_id: number; task_id: number; file_name: string }>`${ofAttempts(
      'attempt_id, task_id, file_name',
      'task_answers',
    )}${userId} and file_name is not null order by 1, 2`.execute(this.#db);
    for (const { attempt_id, task_id, file_name } of rows) {
      const parts = this.#db.selectFrom('task_answer_parts').select('content').where('attempt_id', '=', attempt_id);
      const found = await parts.where('task_id', '=', task_id).orderBy('part').execute();
      const ending = /\.[A-Za-z0-9]{1,10}$/.exec(file_name)?.[0] ?? '';
      const name = `files/attempt-${attempt_id}-task-${task_id}${ending}`;
      yield { name, content: Buffer.concat(found.map(({ content }) => content)) };
    }
  }

  /** Attempts whose results are shown and whose machine left files that are kept, the newest first. */
  async machines(userId: number): Promise<OwnMachine[]> {
    const { rows } = await sql<OwnMachine>`
      select attempts.id as attempt_id, coalesce(revision.content->>'user', 'student') as account, attempts.submitted_at
      from attempts join attempt_evidence as evidence on evidence.attempt_id = attempts.id and evidence.status = 'kept'
      left join assessment_revisions as revision on revision.id = attempts.revision_id
      where attempts.user_id = ${userId} and ${statusSql.isOver('attempts')} and ${areShown}
        and evidence.layer_bytes > 0 and evidence.path_bytes > 0
      order by attempts.id desc`.execute(this.#db);
    return rows;
  }

  /** The key of the picture. */
  async avatarKey(userId: number): Promise<string | null | undefined> {
    const row = this.#db.selectFrom('users').select('avatar_key').where('id', '=', userId);
    return (await row.executeTakeFirst())?.avatar_key;
  }

  async recordings(userId: number): Promise<OwnRecording[]> {
    return await this.#db
      .selectFrom('recordings')
      .innerJoin('attempts', 'attempts.id', 'recordings.attempt_id')
      .select(['recordings.attempt_id', 'recordings.key'])
      .where('attempts.user_id', '=', userId)
      .orderBy('recordings.id')
      .execute();
  }
}
