import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Static } from 'typebox';
import type { Database } from '../../database/connection/connect.ts';
import { membersOf } from '../../database/exam-session-rules.ts';
import { type Page, readList } from '../../database/lists/keyset.ts';
import type { MailContent, MailKind, MailLanguage, MailsTable } from '../../database/tables.ts';
import { found } from '../../errors.ts';
import { noAddressDomain } from '../../values/email-address.ts';
import type { MailSchema } from './schema.ts';

export type MailRow = Selectable<MailsTable>;
/** With what its text names besides its content. */
export type DueMail = MailRow & { username: string; full_name: string | null };
export type MailWithProblem = Static<typeof MailSchema>;

export type NewMail = {
  user_id: number;
  kind: MailKind;
  key: string;
  /** Null: now. A mail of the same key and moment is not written again. */
  event_at: Date | null;
  content: MailContent;
  /** What its link proves, sealed, as base64. */
  secret: string | null;
  /** Minutes after which it is of no use. */
  minutes: number;
};

/** A matter of a user that a mail may tell. `notification` is the key of the user's notification of it; null: of several. */
export type Candidate = Pick<NewMail, 'user_id' | 'kind' | 'key'> & { event_at: Date; notification: string | null };

export type MailLimits = {
  /** Of those who have not logged in yet. */
  language: MailLanguage;
  delaySeconds: number;
  retrySeconds: number;
  maxPerHour: number;
};

/** Seconds after which an attempt counts as lost: longer than the timeouts of a connection together. */
const leaseSeconds = 600;
/** The longest wait between two attempts. */
const maxRetrySeconds = 4 * 3600;
/** Days that a mail is listed: sent ones as long as what they told could be told again. */
const [sentDays, failedDays] = [7, 30];
const batch = 5000;

const hasAddress = sql<boolean>`lower(users.email) not like ${sql.lit(`%@${noAddressDomain}`)}`;

/** Users to whom a mail of a kind may be written without their asking: an address that somebody has only typed gets none. */
const isWanted = (kind: string): RawBuilder<boolean> => sql<boolean>`(
  users.is_active and users.id > 0 and ${hasAddress} and not coalesce(${sql.lit(kind)} = any(own.mails_off), false) and not exists (
    select from address_checks as checked where checked.user_id = users.id and lower(checked.email) = lower(users.email) and verified_at is null))`;

/** Mails of the last hour to a user's address that nobody has asked for. */
const ofLastHour = sql`(select count(*) from mails where lower(mails.recipient) = lower(users.email)
  and mails.created_at > now() - interval '1 hour' and mails.kind not in ('address', 'password', 'invitation'))`;

/** The mails that wait, and those that have ended lately. */
export class MailStore {
  readonly #db: Database;
  readonly #limits: MailLimits;

  constructor(db: Database, limits: MailLimits) {
    this.#db = db;
    this.#limits = limits;
  }

  /**
   * Writes mails, in a transaction of the caller or alone. One that a user has asked for replaces those of its kind that wait.
   * @param language for users who have not logged in yet
   */
  async add(db: Database | undefined, mails: readonly NewMail[], language?: MailLanguage): Promise<void> {
    if (mails.length === 0) return;
    const executor = db ?? this.#db;
    const asked = mails.filter(({ event_at }) => event_at === null);
    if (asked.length > 0)
      await sql`delete from mails using jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as fresh (user_id int, kind text)
        where mails.user_id = fresh.user_id and mails.kind = fresh.kind and status = 'queued'`.execute(executor);
    await sql`insert into mails (user_id, kind, key, event_at, recipient, language, content, sealed_secret, expires_at)
      select users.id, fresh.kind, fresh.key, coalesce(fresh.event_at, clock_timestamp()), users.email,
        coalesce(own.language, ${language ?? this.#limits.language}), fresh.content, decode(fresh.secret, 'base64'),
        now() + make_interval(mins => fresh.minutes)
      from jsonb_to_recordset(${JSON.stringify(mails)}::jsonb)
        as fresh (user_id int, kind text, key text, event_at timestamptz, content jsonb, secret text, minutes int)
      join users on users.id = fresh.user_id and ${hasAddress}
      left join notification_settings as own on own.user_id = users.id
      on conflict do nothing`.execute(executor);
  }

  /**
   * What users have not read and were not written about: results, answered reviews, and for staff hands that nobody sees to, at most once an
   * hour. In the order of users. An address gets as many as it may in an hour, the others later.
   */
  async candidates(after: Pick<Candidate, 'user_id' | 'key'>, limit: number): Promise<Candidate[]> {
    const isDue = (moment: string): RawBuilder<boolean> =>
      sql<boolean>`${sql.ref(moment)} between now() - interval '1 day' and now() - make_interval(secs => ${this.#limits.delaySeconds})`;
    const { rows } = await sql<Candidate>`
      select user_id, kind, key, event_at, notification from (
        select matter.*, ${ofLastHour} + row_number() over (partition by matter.user_id order by matter.key) as number from (
          select n.user_id, 'results' as kind, n.key, n.created_at as event_at, n.key as notification
          from notifications as n where n.kind = 'results' and n.read_at is null and ${isDue('n.created_at')}
          union all
          select n.user_id, 'feedback', 'review:' || request.id, request.answered_at, n.key
          from notifications as n join review_requests as request on request.attempt_id = n.attempt_id
          where n.kind = 'grade' and n.read_at is null and ${isDue('request.answered_at')}
          union all
          select n.user_id, 'hands', 'hands', max(n.created_at), null
          from notifications as n join hands on hands.id = n.hand_id and hands.answer is null and hands.taken_by is null
          where n.kind = 'hand' and n.read_at is null and ${isDue('n.created_at')}
          group by n.user_id
          having not exists (select from mails where mails.user_id = n.user_id and mails.key = 'hands'
            and (mails.created_at > now() - interval '1 hour' or mails.event_at >= max(n.created_at)))
        ) as matter
        join users on users.id = matter.user_id
        left join notification_settings as own on own.user_id = users.id
        where case matter.kind when 'results' then ${isWanted('results')} and not coalesce('results' = any(own.muted), false)
            when 'feedback' then ${isWanted('feedback')} else ${isWanted('hands')} end
          and not exists (select from mails where mails.user_id = matter.user_id and mails.key = matter.key and mails.event_at = matter.event_at)
      ) as numbered
      where number <= ${this.#limits.maxPerHour} and (user_id, key) > (${after.user_id}::int, ${after.key}::text)
      order by user_id, key limit ${limit}`.execute(this.#db);
    return rows;
  }

  /**
   * Writes to the students of exam sessions that were planned or moved, and are still to come, and to those who were added later. What changes
   * again meanwhile waits.
   */
  async writePlans(): Promise<void> {
    await sql`with plan as (
        delete from exam_plans where changed_at < now() - make_interval(secs => ${this.#limits.delaySeconds}) returning *
      ), addressed as (
        select plan.*, member.user_id as member_id from plan join exam_sessions as s on s.id = plan.session_id
        join ${membersOf('s')} as member on member.role = 'student' and not member.is_hidden
        where plan.user_id = 0
        union all
        select plan.*, plan.user_id from plan join exam_sessions as s on s.id = plan.session_id
        join ${membersOf('s')} as member on member.user_id = plan.user_id and member.role = 'student' and not member.is_hidden
        where not exists (select from plan as whole where whole.session_id = plan.session_id and whole.user_id = 0)
      ), matter as (
        select users.id as user_id, users.email, own.language, plan.is_moved, plan.changed_at, s.id, s.title, s.exam_id,
          coalesce(terms.opens_at, s.opens_at) as opens_at, coalesce(terms.closes_at, s.closes_at) as closes_at,
          ${ofLastHour} + row_number() over (partition by users.id order by s.opens_at, s.id) as number
        from addressed as plan join exam_sessions as s on s.id = plan.session_id and plan.changed_at > now() - interval '1 day'
        join users on users.id = plan.member_id
        left join exam_accommodations as terms on terms.session_id = s.id and terms.user_id = users.id
        left join notification_settings as own on own.user_id = users.id
        where ${isWanted('exam_planned')}
      )
      insert into mails (user_id, kind, key, event_at, recipient, language, content, expires_at)
      select user_id, case when is_moved then 'exam_moved' else 'exam_planned' end, 'exam:' || id, changed_at, email,
        coalesce(language, ${this.#limits.language}),
        jsonb_build_object('title', title, 'path', '/exams/' || exam_id, 'opens_at', opens_at, 'closes_at', closes_at), opens_at
      from matter where opens_at > now() and number <= ${this.#limits.maxPerHour}
      on conflict do nothing`.execute(this.#db);
  }

  /** Writes to the users of these accounts that they will be deleted. */
  async writeDeletions(db: Database, userIds: readonly number[], until: Date): Promise<void> {
    await sql`insert into mails (user_id, kind, key, event_at, recipient, language, content, expires_at)
      select users.id, 'account_deletion', 'account_deletion', now(), email, coalesce(language, ${this.#limits.language}),
        jsonb_build_object('until', ${until}::timestamptz, 'path', '/login'), ${until}
      from users left join notification_settings as own on own.user_id = users.id
      where users.id = any(${userIds}::int[]) and ${isWanted('account_deletion')}
      on conflict do nothing`.execute(db);
  }

  /** Takes one mail that is due: no other process takes it meanwhile. */
  async take(): Promise<DueMail | undefined> {
    const { rows } = await sql<DueMail>`with taken as (
        update mails set attempts = attempts + 1, due_at = now() + make_interval(secs => ${leaseSeconds})
        where id = (select id from mails where status = 'queued' and due_at <= now() order by due_at, id limit 1 for update skip locked)
        returning *
      ) select taken.*, users.username, users.full_name from taken join users on users.id = taken.user_id`.execute(
      this.#db,
    );
    return rows[0];
  }

  async hasDue(): Promise<boolean> {
    const { rows } = await sql`select from mails where status = 'queued' and due_at <= now() limit 1`.execute(this.#db);
    return rows.length > 0;
  }

  async markSent(id: number): Promise<void> {
    await sql`update mails set status = 'sent', ended_at = now(), sealed_secret = null where id = ${id}`.execute(
      this.#db,
    );
  }

  /** @returns when it is tried again; undefined: it has failed, because that is of no use */
  async postpone(id: number, problem: string, isPermanent: boolean): Promise<Date | undefined> {
    const next = sql`now() + make_interval(secs => least(${maxRetrySeconds}, ${this.#limits.retrySeconds} * 2.0 ^ least(20, attempts - 1)))`;
    const isOver = sql`(${isPermanent} or ${next} > expires_at)`;
    const { rows } = await sql<{ due_at: Date; status: string }>`update mails set problem = ${problem},
        status = case when ${isOver} then 'failed' else status end, ended_at = case when ${isOver} then now() end,
        sealed_secret = case when ${isOver} and expires_at <= now() then null else sealed_secret end, due_at = ${next}
      where id = ${id} and status = 'queued' returning due_at, status`.execute(this.#db);
    return rows[0]?.status === 'queued' ? rows[0].due_at : undefined;
  }

  /** Those that failed, and those that wait after a failure, the newest first. */
  async withProblem(page: Page): Promise<{ rows: MailWithProblem[]; total: number }> {
    const columns = sql`mails.id, user_id, users.username, kind, recipient, status, attempts, problem, mails.created_at,
      case when status = 'queued' then due_at end as next_attempt_at`;
    const from = sql`mails join users on users.id = user_id where problem is not null and status <> 'sent'`;
    return await readList(this.#db, { columns, from, order: sql`mails.id desc` }, page);
  }

  /** Tries it again now. One whose time was over gets another day: what it says is still right, but for its links. @throws NotFoundError */
  async sendAgain(id: number): Promise<void> {
    const { rows } = await sql`update mails set status = 'queued', ended_at = null, due_at = now(),
        expires_at = greatest(expires_at, now() + interval '1 day'), recipient = users.email
      from users where users.id = user_id and mails.id = ${id} and problem is not null and status <> 'sent' returning 1`.execute(
      this.#db,
    );
    found(rows[0], 'Mail');
  }

  /** @throws NotFoundError */
  async delete(id: number): Promise<void> {
    const { rows } =
      await sql`delete from mails where id = ${id} and problem is not null and status <> 'sent' returning 1`.execute(
        this.#db,
      );
    found(rows[0], 'Mail');
  }

  /** Deletes old mails, links that are over, and what nobody was written about while mail was off. */
  async clean(): Promise<void> {
    for (;;) {
      const { numAffectedRows = 0n } = await sql`delete from mails where id in (select id from mails
        where ended_at < now() - make_interval(days => case status when 'failed' then ${failedDays}::int else ${sentDays}::int end)
        limit ${batch})`.execute(this.#db);
      if (numAffectedRows < batch) break;
    }
    await sql`delete from mail_tokens where expires_at < now()`.execute(this.#db);
    await sql`delete from exam_plans where changed_at < now() - interval '1 day'`.execute(this.#db);
  }
}
