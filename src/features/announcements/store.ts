import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Static } from 'typebox';
import { differences, logActivity } from '../../database/activity-log.ts';
import type { Database } from '../../database/connection/connect.ts';
import { keepDeleted } from '../../database/deletions/keep.ts';
import { type Page, readList } from '../../database/lists/keyset.ts';
import { shownName } from '../../database/lists/shown-name.ts';
import { lock } from '../../database/locks.ts';
import type { Tables } from '../../database/tables.ts';
import { ConflictError, ForbiddenError, InvalidError, NotFoundError } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import { refusedField } from '../../values/coded-problem.ts';
import { changeableClass, openClass, seenClass, seesAllClasses } from '../classes/access-store.ts';
import type { AnnouncementSchema } from './schema.ts';

export type Announcement = Static<typeof AnnouncementSchema>;
export type AnnouncementFields = { title: string; text?: string; shows_from?: Date; shows_until?: Date | null };
export type AnnouncementFilter = { class_id?: number | undefined; is_read?: boolean | undefined };

/** Announcements as their callers see them. The database notifies those who are connected. */
export class AnnouncementStore {
  readonly #db: Database;
  readonly #max: number;

  /** @param max of one class, and to everybody */
  constructor(db: Database, max: number) {
    this.#db = db;
    this.#max = max;
  }

  /**
   * Those to everybody and to the caller's classes, the unread ones first, then the newest. With a class, those of that class alone. Those
   * that are not shown now only for who may change them.
   * @throws NotFoundError for a class that the caller does not see
   */
  async list(caller: Caller, { class_id, is_read }: AnnouncementFilter, page: Page) {
    if (class_id !== undefined) await seenClass(this.#db, caller, class_id);
    const from = sql`(${viewOf(caller)}) as announcements where ${isSeen(caller)}
      and ${class_id === undefined ? sql`(class_id is null or my_role is not null)` : sql`class_id = ${class_id}`}
      and ${is_read === undefined ? sql`true` : sql`is_read = ${is_read}`}`;
    const order = sql`is_shown and not is_read desc, shows_from desc, id desc`;
    return await readList<Announcement>(this.#db, { columns: sql`*`, from, order }, page);
  }

  /** @throws NotFoundError for the class, ForbiddenError, ConflictError for an archived class or the maximum number, InvalidError */
  async create(
    caller: Caller,
    { class_id, ...fields }: AnnouncementFields & { class_id?: number | null },
  ): Promise<Announcement> {
    return await this.#db.transaction().execute(async (trx) => {
      const classId = class_id ?? null;
      // Held for a change: of two that create the last one, the second counts that of the first.
      if (classId === null) await lockEverybody(trx, caller);
      else await openClass(trx, caller, classId, 'change');
      const now = new Date();
      checkTimes({ shows_from: now, ...fields });
      const { total } = await trx
        .selectFrom('announcements')
        .select(sql<number>`count(*)::int`.as('total'))
        .where('class_id', 'is not distinct from', classId)
        .executeTakeFirstOrThrow();
      if (total >= this.#max)
        throw new ConflictError('too_many_announcements', `There are ${this.#max} announcements already`);
      const { id } = await trx
        .insertInto('announcements')
        .values({ ...fields, class_id: classId, author_id: caller.id, is_due: isDue(fields.shows_from) })
        .returning('id')
        .executeTakeFirstOrThrow();
      await trx.insertInto('announcement_reads').values({ announcement_id: id, user_id: caller.id }).execute();
      const made = await read(trx, caller, id);
      await log(trx, caller, 'announcement_create', made, { new: fields });
      return made;
    });
  }

  /** Readers keep what they have read. @throws NotFoundError, ForbiddenError, InvalidError */
  async update(caller: Caller, id: number, fields: Partial<AnnouncementFields>): Promise<Announcement> {
    return await this.#db.transaction().execute(async (trx) => {
      const before = await changeable(trx, caller, id);
      checkTimes({ ...before, ...fields });
      const changes = differences(before, fields);
      if (!changes) return before;
      await trx
        .updateTable('announcements')
        .set({ ...fields, edited_at: sql<Date>`now()` })
        .$if(fields.shows_from !== undefined, (some) => some.set({ is_due: isDue(fields.shows_from) }))
        .where('id', '=', id)
        .execute();
      await log(trx, caller, 'announcement_update', before, changes);
      return await read(trx, caller, id);
    });
  }

  /** @throws NotFoundError, ForbiddenError */
  async delete(caller: Caller, id: number): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      const before = await changeable(trx, caller, id);
      const deleted = { id, title: before.title, actorId: caller.id, classId: before.class_id };
      await keepDeleted(trx, { kind: 'announcement', ...deleted });
      await trx.deleteFrom('announcements').where('id', '=', id).execute();
      const { title, text, shows_from, shows_until } = before;
      await log(trx, caller, 'announcement_delete', before, { old: { title, text, shows_from, shows_until } });
    });
  }

  /** Succeeds also for one that was read before. @throws NotFoundError */
  async markRead(caller: Caller, id: number): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      await read(trx, caller, id, 'share');
      await trx
        .insertInto('announcement_reads')
        .values({ announcement_id: id, user_id: caller.id })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    });
  }

  /** Shows those whose time has come. The change notifies their readers. */
  async showDue(): Promise<void> {
    await this.#db
      .updateTable('announcements')
      .set({ is_due: true })
      .where('is_due', '=', false)
      .where('shows_from', '<=', sql<Date>`now()`)
      .execute();
  }
}

const isDue = (from: Date | undefined): RawBuilder<boolean> =>
  from === undefined ? sql<boolean>`true` : sql<boolean>`${from}::timestamptz <= now()`;

const noAnnouncement = () => new NotFoundError('not_found', 'Announcement not found');

const viewOf = (caller: Caller) => sql`
  select a.id, a.class_id, classes.name as class_name, a.title, a.text, ${shownName()} as author,
    a.shows_from, a.shows_until, a.shows_from <= now() and (a.shows_until is null or a.shows_until > now()) as is_shown,
    exists (select from announcement_reads where announcement_id = a.id and user_id = ${caller.id}) as is_read,
    (${caller.role === 'admin'} or ${caller.role === 'instructor'} and member.role is not distinct from 'instructor'
      and a.class_id is not null) as may_change,
    a.created_at, a.edited_at, member.role as my_role, coalesce(classes.is_archived, false) as is_archived
  from announcements as a
  left join classes on classes.id = a.class_id
  left join own_memberships as member on member.class_id = a.class_id and member.user_id = ${caller.id}
  left join users on users.id = a.author_id`;

/** Students do not see those of an archived class, as they do not see its courses. */
const isSeen = (caller: Caller): RawBuilder<boolean> => sql<boolean>`(may_change
  or is_shown and (class_id is null or my_role is not null or ${seesAllClasses(caller)})
    and (not is_archived or ${caller.role !== 'student'} or my_role is distinct from 'student'))`;

/** @throws NotFoundError where the caller does not see it */
async function read(db: Database, caller: Caller, id: number, lock?: 'share' | 'change'): Promise<Announcement> {
  if (lock) {
    const locking = lock === 'share' ? sql`for key share` : sql`for no key update`;
    await sql`select from announcements where id = ${id} ${locking}`.execute(db);
  }
  const { rows } = await sql<Announcement>`select * from (${viewOf(caller)}) as announcements
    where id = ${id} and ${isSeen(caller)}`.execute(db);
  const [row] = rows;
  if (!row) throw noAnnouncement();
  return row;
}

/** @throws NotFoundError, ForbiddenError */
async function changeable(trx: Transaction<Tables>, caller: Caller, id: number): Promise<Announcement> {
  const found = await read(trx, caller, id, 'change');
  if (found.class_id !== null) await changeableClass(trx, caller, found.class_id, 'share');
  else if (caller.role !== 'admin') throw onlyAdministrators();
  return found;
}

const onlyAdministrators = () =>
  new ForbiddenError('forbidden', 'Only administrators may announce something to everybody');

/** @throws ForbiddenError */
async function lockEverybody(trx: Transaction<Tables>, caller: Caller): Promise<void> {
  if (caller.role !== 'admin') throw onlyAdministrators();
  await lock(trx, 'everybody');
}

/** @throws InvalidError */
function checkTimes({ shows_from, shows_until }: { shows_from: Date; shows_until?: Date | null }): void {
  if (!shows_until || shows_from.getTime() < shows_until.getTime()) return;
  throw new InvalidError([refusedField(['body', 'shows_until'], 'announcement_times')]);
}

async function log(
  trx: Transaction<Tables>,
  { id: actorId }: Caller,
  type: string,
  { id, title, class_name }: Announcement,
  details: Record<string, unknown>,
): Promise<void> {
  const all = { ...(class_name === null ? {} : { class: class_name }), ...details };
  await logActivity(trx, { actorId, type, title, entityType: 'announcement', entityId: id, details: all });
}
