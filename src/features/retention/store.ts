import { type RawBuilder, sql, type Transaction } from 'kysely';
import { isOpen, removeWork } from '../../database/attempt-work.ts';
import type { Database } from '../../database/connection/connect.ts';
import { membersOf } from '../../database/exam-session-rules.ts';
import type { Tables } from '../../database/tables.ts';

/** Days that each kind is kept. Null: until the account is deleted. */
export type Retention = { activity_days: number | null; work_days: number | null; account_days: number | null };
type Kind = 'activity' | 'work' | 'accounts';
export type Due = Record<Kind, number>;
/** Writes the mails of an announced deletion in the same transaction. */
type Mail = { announceDeletion: (trx: Transaction<Tables>, userIds: readonly number[], until: Date) => Promise<void> };
/** The entry of the activity log that says what a round has removed. It changes with each part. */
export type Round = { entry?: string };

/** Rows that one transaction removes. An attempt has many. */
const batches = { activity: 5000, work: 100, accounts: 500 };
/** Between the notification and the deletion of an account. */
const noticeDays = 30;
/** An announcement is void after so many days: the setting was off meanwhile, or the account was needed. */
const maxNoticeDays = 60;

/** Days that the kind is kept, as SQL. Null: for ever, so that nothing is due. */
type Days = RawBuilder<unknown>;
const setting = (column: keyof Retention): Days => sql`(select ${sql.ref(column)} from site)`;
const before = (days: Days): RawBuilder<Date> => sql<Date>`(now() - make_interval(days => (${days})::int))`;

const isOldEntry = (days: Days) => sql<boolean>`created_at < ${before(days)}`;
const isOldWork = (days: Days) => sql<boolean>`attempts.work_removed_at is null and not ${isOpen}
  and greatest(attempts.created_at, attempts.started_at, attempts.expires_at, attempts.submitted_at, attempts.ended_at) < ${before(days)}`;

/** Of a login, also one that only goes on, and of a token for programs. */
const lastUse = sql<Date>`greatest(users.created_at, users.last_login_at,
  (select max(last_used_at) from logins where user_id = users.id), (select max(last_used_at) from personal_tokens where user_id = users.id))`;
/** Students whose account was not used for so many days who neither supervise nor have an exam or an attempt that is open or planned. */
const isUnused = (days: Days) => sql<boolean>`users.id > 0 and users.role = 'student' and not users.is_pseudonym
  and ${lastUse} < ${before(days)}
  and not exists (select from class_members as member where member.user_id = users.id and member.role <> 'student')
  and not exists (select from attempts where attempts.user_id = users.id and ${isOpen})
  and users.id not in (select member.user_id from exam_sessions as s join ${membersOf('s')} as member on not member.is_hidden
    left join exam_accommodations as own on own.session_id = s.id and own.user_id = member.user_id
    where coalesce(own.closes_at, s.closes_at) > now())`;
const isAboutToGo = (days: Days) => isUnused(sql`${days}::int - ${sql.lit(noticeDays)}`);
const isAnnounced = sql<boolean>`(users.deletion_announced_at > ${lastUse} and users.deletion_announced_at > ${before(sql.lit(maxNoticeDays))}) is true`;
const isDeletable = sql<boolean>`${isUnused(setting('account_days'))} and ${isAnnounced}
  and users.deletion_announced_at < ${before(sql.lit(noticeDays))}`;

/** What is kept no longer than the settings of the installation say. Each method can be interrupted, and runs again. */
export class RetentionStore {
  readonly #db: Database;
  readonly #mail: Mail;

  constructor(db: Database, mail: Mail) {
    this.#db = db;
    this.#mail = mail;
  }

  /** What would be removed now if so many days were set. Of accounts, those that would be notified. */
  async due({ activity_days = null, work_days = null, account_days = null }: Partial<Retention>): Promise<Due> {
    const { rows } = await sql<Due>`select
      (select count(*)::int from activity_log where ${isOldEntry(sql`${activity_days}`)}) as activity,
      (select count(*)::int from attempts where ${isOldWork(sql`${work_days}`)}) as work,
      (select count(*)::int from users where ${isAboutToGo(sql`${account_days}`)}) as accounts`.execute(this.#db);
    return rows[0] as Due;
  }

  async removeActivity(round: Round): Promise<void> {
    await this.#inParts(async (trx) => {
      const { numAffectedRows } = await sql`delete from activity_log where id in (
        select id from activity_log where ${isOldEntry(setting('activity_days'))} order by id limit ${batches.activity})`.execute(
        trx,
      );
      return await this.#note(trx, round, 'activity', Number(numAffectedRows));
    });
  }

  async removeWork(round: Round): Promise<void> {
    const isDue = isOldWork(setting('work_days'));
    let last = 0;
    await this.#inParts(async (trx) => {
      const locked = await sql<{ id: number }>`select id from attempts where id > ${last} and ${isDue}
        order by id limit ${batches.work} for update skip locked`.execute(trx);
      const ids = locked.rows.map(({ id }) => id);
      last = ids.at(-1) ?? last;
      // Once they are locked nobody can ask for a review, a regrade or the attempt itself. Before, somebody may have.
      const due = await sql<{ id: number }>`select id from attempts where id = any(${ids}::int[]) and ${isDue}`.execute(
        trx,
      );
      const removed = due.rows.map(({ id }) => id);
      await removeWork(trx, removed);
      await this.#note(trx, round, 'work', removed.length);
      return ids.length;
    });
  }

  /** Notifies the users of accounts that will be deleted in 30 days, unless they are used. */
  async announce(): Promise<void> {
    await this.#inParts(async (trx) => {
      const { rows } = await sql<{ id: number }>`update users set deletion_announced_at = now() where id in (
        select id from users where ${isAboutToGo(setting('account_days'))} and not ${isAnnounced}
        order by id limit ${batches.accounts} for update skip locked) returning id`.execute(trx);
      const ids = rows.map(({ id }) => id);
      const until = new Date(Date.now() + noticeDays * 24 * 3600 * 1000);
      await sql`insert into notifications (user_id, key, kind, until)
        select id, 'account_deletion', 'account_deletion', ${until} from unnest(${ids}::int[]) as id
        on conflict (user_id, key) do update set until = excluded.until, created_at = now(), read_at = null`.execute(
        trx,
      );
      await this.#mail.announceDeletion(trx, ids, until);
      return ids.length;
    });
  }

  /** The next accounts whose time is over. @param after the last id of those before */
  async unused(after: number): Promise<number[]> {
    const { rows } = await sql<{ id: number }>`select id from users where id > ${after} and ${isDeletable}
      order by id limit ${batches.accounts}`.execute(this.#db);
    return rows.map(({ id }) => id);
  }

  /** Counts an account in the transaction that deletes it. @returns false if it is not due any more */
  async noteUnused(trx: Transaction<Tables>, round: Round, id: number): Promise<boolean> {
    const { rows } = await sql`select from users where id = ${id} and ${isDeletable}`.execute(trx);
    return (await this.#note(trx, round, 'accounts', rows.length)) > 0;
  }

  /** Runs transactions until one has found nothing more. */
  async #inParts(part: (trx: Transaction<Tables>) => Promise<number>): Promise<void> {
    for (let found = 1; found > 0; ) found = await this.#db.transaction().execute(part);
  }

  async #note(trx: Transaction<Tables>, round: Round, kind: Kind, count: number): Promise<number> {
    if (count === 0) return 0;
    const { rows } = await sql<{ id: string }>`with changed as (
        update activity_log set details = jsonb_set(details, array['removed', ${kind}::text],
          to_jsonb(coalesce((details->'removed'->>${kind}::text)::int, 0) + ${count}::int))
        where id = ${round.entry ?? null}::bigint returning id
      ), added as (
        insert into activity_log (type, entity_type, details)
        select 'retention', 'site', jsonb_build_object('removed', jsonb_build_object(${kind}::text, ${count}::int))
        where not exists (select from changed) returning id
      ) select id from changed union all select id from added`.execute(trx);
    const [entry] = rows;
    if (entry) round.entry = entry.id;
    return count;
  }
}
