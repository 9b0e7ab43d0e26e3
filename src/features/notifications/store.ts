import { sql } from 'kysely';
import type { Static } from 'typebox';
import type { Database } from '../../database/connection/connect.ts';
import { hasShownResults, membersOf } from '../../database/exam-session-rules.ts';
import { shownName } from '../../database/lists/shown-name.ts';
import { ownDeadlineOf, ownDueAt } from '../../database/own-deadlines.ts';
import type { MailKind, NotificationKind } from '../../database/tables.ts';
import type { NotificationSchema } from './schema.ts';

export type Notification = Static<typeof NotificationSchema>;

/** Notifications of one user in an answer. */
const maxListed = 50;

/** The notifications of users, and what they want to be notified of. */
export class NotificationStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** At most 50, the unread ones first, then the newest. */
  async list(userId: number): Promise<Notification[]> {
    return (await this.listsOf([userId])).get(userId) ?? [];
  }

  /** Those of several users, in one statement. */
  async listsOf(userIds: readonly number[]): Promise<Map<number, Notification[]>> {
    const { rows } = await sql<Notification & { user_id: number }>`
      select readers.id as user_id, listed.* from unnest(${userIds}::int[]) as readers (id) cross join lateral (
        select * from (${stored} union all ${announced}) as own
        where own.kind <> all (coalesce((select muted from notification_settings where user_id = readers.id), '{}'))
        order by is_read, created_at desc, key limit ${maxListed}
      ) as listed order by user_id, is_read, created_at desc, key`.execute(this.#db);
    const lists = new Map<number, Notification[]>(userIds.map((id) => [id, []]));
    for (const { user_id, ...row } of rows) lists.get(user_id)?.push(row);
    return lists;
  }

  /** @param keys undefined for all. Unknown ones are ignored */
  async markRead(userId: number, keys: readonly string[] | undefined): Promise<void> {
    const chosen = keys === undefined ? sql`true` : sql`key = any(${keys}::text[])`;
    await this.#db.transaction().execute(async (trx) => {
      await sql`update notifications set read_at = now()
        where user_id = ${userId} and read_at is null and ${chosen}`.execute(trx);
      await sql`insert into announcement_reads (announcement_id, user_id)
        select announcement_id, ${userId}::int from unnest(array[${userId}::int]) as readers (id)
          cross join lateral (${announced}) as own
        where not is_read and ${chosen} on conflict do nothing`.execute(trx);
    });
  }

  /** The kinds that the user has switched off. */
  async muted(userId: number): Promise<NotificationKind[]> {
    const row = this.#db.selectFrom('notification_settings').select('muted').where('user_id', '=', userId);
    return (await row.executeTakeFirst())?.muted ?? [];
  }

  /** @returns the kinds that are switched off now */
  async mute(
    userId: number,
    off: readonly NotificationKind[],
    on: readonly NotificationKind[],
  ): Promise<NotificationKind[]> {
    const { rows } = await sql<{ muted: NotificationKind[] }>`
      insert into notification_settings as own (user_id, muted) values (${userId}, ${off}::text[])
      on conflict (user_id) do update set muted = array(
        select distinct kind from unnest(own.muted || excluded.muted) as kind where kind <> all(${on}::text[]) order by kind)
      returning muted`.execute(this.#db);
    return rows[0]?.muted ?? [];
  }

  /** The kinds of mails that the user has switched off. */
  async mailsOff(userId: number): Promise<MailKind[]> {
    const row = this.#db.selectFrom('notification_settings').select('mails_off').where('user_id', '=', userId);
    return (await row.executeTakeFirst())?.mails_off ?? [];
  }

  /** @returns the kinds of mails that are switched off now */
  async switchMails(userId: number, off: readonly MailKind[], on: readonly MailKind[]): Promise<MailKind[]> {
    const { rows } = await sql<{ mails_off: MailKind[] }>`
      insert into notification_settings as own (user_id, mails_off) values (${userId}, ${off}::text[])
      on conflict (user_id) do update set mails_off = array(
        select distinct kind from unnest(own.mails_off || excluded.mails_off) as kind where kind <> all(${on}::text[]) order by kind)
      returning mails_off`.execute(this.#db);
    return rows[0]?.mails_off ?? [];
  }

  /** Those of these users who see the announcements of a class. */
  async membersAmong(classId: number, userIds: readonly number[]): Promise<number[]> {
    const { rows } = await sql<{ user_id: number }>`select user_id from class_members
      where class_id = ${classId} and user_id = any(${userIds}::int[])`.execute(this.#db);
    return rows.map(({ user_id }) => user_id);
  }
}

const seesClass = sql`(classes.id is null or exists (
  select from class_members as member where member.class_id = classes.id and member.user_id = readers.id
    and (not classes.is_archived or member.role <> 'student')))`;

const seesSession = sql`(s.id is null or exists (
  select from ${membersOf('s')} as member where member.user_id = readers.id and not member.is_hidden))`;

/** Those with a row. A user who has left a class or a session, or whose results are withheld again, does not see what was said about them. */
const stored = sql`
  select n.key, n.kind, coalesce(helper.name, split_part(webhooks.url, '/', 3), reported.title, attempts.title, s.title, laboratories.title, '') as title, classes.name as class_name,
    case when attempts.kind = 'exam' then attempts.assessment_id else s.exam_id end as exam_id,
    case when attempts.kind = 'laboratory' then attempts.assessment_id else n.laboratory_id end as laboratory_id,
    n.attempt_id, classes.id as class_id, coalesce(sections.course_id, reported.course_id) as course_id, null::int as announcement_id, n.session_id, n.minutes, coalesce(${ownDueAt}, n.until) as until,
    n.created_at, n.read_at is not null as is_read
  from notifications as n
  left join attempts on attempts.id = n.attempt_id
  left join exam_sessions as s on s.id = n.session_id
  left join assessments as reported on n.kind = 'report' and reported.kind = attempts.kind and reported.id = attempts.assessment_id
  left join sections on sections.id = reported.section_id
  left join hands on hands.id = n.hand_id
  left join webhooks on webhooks.id = n.webhook_id
  left join lateral (select ${shownName()} as name from users
    where users.id = case n.kind when 'hand' then hands.user_id when 'help' then hands.taken_by when 'review' then attempts.user_id when 'reopen' then attempts.user_id end) as helper on true
  left join laboratory_deadlines as due on due.class_id = n.class_id and due.laboratory_id = n.laboratory_id
  ${ownDeadlineOf(sql`n.user_id`)}
  left join assessments as laboratories on laboratories.kind = 'laboratory' and laboratories.id = n.laboratory_id
  left join classes on classes.id = coalesce(s.class_id, n.class_id)
  where n.user_id = readers.id and ${seesClass} and ${seesSession} and (n.kind not in ('results', 'grade') or ${sql.raw(hasShownResults)})
    and (n.kind <> 'webhook' or exists (select from users where users.id = n.user_id and users.role = 'admin'))`;

const announced = sql`
  select 'announcement:' || a.id as key, 'announcement' as kind, a.title, classes.name as class_name, null::int as exam_id,
    null::int as laboratory_id, null::int as attempt_id, a.class_id, null::int as course_id, a.id as announcement_id, null::int as session_id, null::int as minutes,
    a.shows_until as until, greatest(a.shows_from, a.created_at) as created_at, own.read_at is not null as is_read
  from announcements as a
  left join classes on classes.id = a.class_id
  left join announcement_reads as own on own.announcement_id = a.id and own.user_id = readers.id
  where a.shows_from <= now() and (a.shows_until is null or a.shows_until > now()) and ${seesClass}`;
