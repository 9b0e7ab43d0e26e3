import { sql, type Transaction } from 'kysely';
import type { Static } from 'typebox';
import { differences, logActivity } from '../../database/activity-log.ts';
import { statusSql } from '../../database/attempt-status.ts';
import { type CatalogueLimits, checkLimit } from '../../database/catalogue/catalogue-limits.ts';
import { type Database, violatedConstraint } from '../../database/connection/connect.ts';
import { keepDeleted } from '../../database/deletions/keep.ts';
import { type Order, type Page, readList } from '../../database/lists/keyset.ts';
import type { Tables } from '../../database/tables.ts';
import { ConflictError, ForbiddenError, InvalidError, NotFoundError, type ValidationItem } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import { refusedField } from '../../values/coded-problem.ts';
import { changeableClass, isInView, noClass, seesAllClasses } from './access-store.ts';
import type { ClassSchema } from './schema.ts';

export type ClassView = Static<typeof ClassSchema>;
export type ClassFields = {
  name: string;
  description?: string;
  is_archived?: boolean;
  has_assistant_graders?: boolean;
  course_ids?: readonly number[];
};
export type ClassSort = 'name' | 'member_count' | 'created_at';
export type ClassFilter = { q?: string | undefined; is_archived?: boolean | undefined; order: Order<ClassSort> };

const sortedBy: Record<ClassSort, string> = {
  name: 'lower(name)',
  member_count: 'member_count',
  created_at: 'created_at',
};

/** Classes as their callers see them. */
export class ClassStore {
  readonly #db: Database;
  readonly #limits: CatalogueLimits;

  constructor(db: Database, limits: CatalogueLimits) {
    this.#db = db;
    this.#limits = limits;
  }

  /** Those that the caller sees. */
  async list(caller: Caller, { q, is_archived, order }: ClassFilter, page: Page) {
    const own = sql`exists (select from own_memberships where class_id = classes.id and user_id = ${caller.id})`;
    const from = sql`classes where ${seesAllClasses(caller) ? sql`true` : own} and ${isInView(caller, 'classes.id')}
      and ${q === undefined ? sql`true` : sql`position(lower(${q}) in lower(name)) > 0`}
      and ${is_archived === undefined ? sql`true` : sql`is_archived = ${is_archived}`}`;
    const way = sql.raw(order.isDescending ? 'desc' : 'asc');
    const inOrder = sql`${sql.raw(sortedBy[order.by])} ${way}, id ${way}`;
    return await readList<ClassView>(this.#db, { columns: view(caller), from, order: inOrder }, page);
  }

  /** @throws NotFoundError where the caller does not see it */
  async get(caller: Caller, id: number): Promise<ClassView> {
    const row = await read(this.#db, caller, id);
    if (!row || !(row.my_role || seesAllClasses(caller))) throw noClass();
    return row;
  }

  /** The caller becomes its instructor. @throws ConflictError beyond the maximum number, NotFoundError for a course */
  async create(caller: Caller, { course_ids = [], ...fields }: ClassFields): Promise<ClassView> {
    return await this.#db.transaction().execute(async (trx) => {
      const { id, name } = await trx
        .insertInto('classes')
        .values(fields)
        .returning(['id', 'name'])
        .executeTakeFirstOrThrow();
      await trx.insertInto('class_members').values({ class_id: id, user_id: caller.id, role: 'instructor' }).execute();
      await setCourses(trx, id, course_ids);
      await log(trx, caller, 'class_create', { id, name }, { new: { ...fields, course_ids } });
      await checkLimit(trx, 'classes', this.#limits);
      return await reread(trx, caller, id);
    });
  }

  /** @throws NotFoundError for the class or a course, ForbiddenError */
  async update(caller: Caller, id: number, change: Partial<ClassFields>): Promise<ClassView> {
    return await this.#db.transaction().execute(async (trx) => {
      await changeableClass(trx, caller, id, 'change');
      return await changed(trx, caller, id, change);
    });
  }

  /** Archives classes, or takes them out of the archive: all or none. @throws InvalidError that names each class that is refused */
  async archive(caller: Caller, ids: readonly number[], is_archived: boolean): Promise<ClassView[]> {
    return await this.#db.transaction().execute(async (trx) => {
      // Everybody who locks several takes them in this order.
      const refused = new Map<number, ValidationItem>();
      for (const id of [...new Set(ids)].sort((a, b) => a - b)) {
        const refusal = await changeableClass(trx, caller, id, 'change').then(() => undefined, refusalOf);
        if (refusal) refused.set(id, refusedField(['body', 'class_ids', ids.indexOf(id)], refusal, { class: id }));
      }
      if (refused.size > 0) throw new InvalidError([...refused.values()]);
      const classes: ClassView[] = [];
      for (const id of ids) classes.push(await changed(trx, caller, id, { is_archived }));
      return classes;
    });
  }

  /** Attempts and progress of its members are kept. @throws NotFoundError, ForbiddenError, ConflictError while somebody takes an exam in a session of it */
  async delete(caller: Caller, id: number): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      await changeableClass(trx, caller, id, 'change');
      await checkSessions(trx, id);
      const { name, description, member_count } = await reread(trx, caller, id);
      await keepDeleted(trx, { kind: 'class', id, title: name, actorId: caller.id });
      await trx.deleteFrom('classes').where('id', '=', id).execute();
      await log(trx, caller, 'class_delete', { id, name }, { old: { name, description, member_count } });
    });
  }
}

const view = (caller: Caller) => sql`classes.*,
  array(select course_id from class_courses where class_id = classes.id order by course_id) as course_ids,
  (select count(*)::int from class_members where class_id = classes.id and user_id > 0) as member_count,
  (select role from own_memberships where class_id = classes.id and user_id = ${caller.id}) as my_role,
  coalesce((select is_visible from grade_books where class_id = classes.id), false) as is_grade_book_visible`;

async function read(db: Database, caller: Caller, id: number): Promise<ClassView | undefined> {
  return (await sql<ClassView>`select ${view(caller)} from classes where id = ${id}`.execute(db)).rows[0];
}

async function reread(trx: Transaction<Tables>, caller: Caller, id: number): Promise<ClassView> {
  const row = await read(trx, caller, id);
  if (!row) throw noClass();
  return row;
}

/** Changes a class that is locked. */
async function changed(
  trx: Transaction<Tables>,
  caller: Caller,
  id: number,
  { course_ids, ...fields }: Partial<ClassFields>,
): Promise<ClassView> {
  const before = await reread(trx, caller, id);
  const sorted = course_ids && [...new Set(course_ids)].sort((a, b) => a - b);
  const changes = differences(before, { ...fields, ...(sorted && { course_ids: sorted }) });
  if (!changes) return before;
  if (Object.keys(fields).length > 0) await trx.updateTable('classes').set(fields).where('id', '=', id).execute();
  if (sorted) await setCourses(trx, id, sorted);
  await log(trx, caller, 'class_update', before, changes);
  return await reread(trx, caller, id);
}

/** The problem of one of several classes. */
function refusalOf(error: unknown): 'class_not_own' | 'class_unknown' {
  if (error instanceof NotFoundError) return 'class_unknown';
  if (error instanceof ForbiddenError) return 'class_not_own';
  throw error;
}

/**
 * Without its session an attempt could no longer be supervised, and one whose clock is stopped would never continue. A start holds its
 * session: it is seen here, or it does not find the session.
 * @throws ConflictError
 */
async function checkSessions(trx: Transaction<Tables>, classId: number): Promise<void> {
  await sql`select from exam_sessions where class_id = ${classId} order by id for update`.execute(trx);
  const { rows } = await sql`select from attempts join exam_sessions as s on s.id = attempts.session_id
    where s.class_id = ${classId} and attempts.user_id > 0 and ${statusSql.isUnfinished('attempts')} limit 1`.execute(
    trx,
  );
  if (rows.length > 0)
    throw new ConflictError('session_in_use', 'An exam session of the class has unfinished attempts');
}

/** @throws NotFoundError for a course that does not exist, or was deleted meanwhile */
async function setCourses(trx: Transaction<Tables>, classId: number, courseIds: readonly number[]): Promise<void> {
  const ids = [...new Set(courseIds)];
  await sql`delete from class_courses where class_id = ${classId} and course_id <> all(${ids}::int[])`.execute(trx);
  try {
    await sql`insert into class_courses (class_id, course_id) select ${classId}::int, unnest(${ids}::int[])
      on conflict do nothing`.execute(trx);
  } catch (error) {
    if (violatedConstraint(error) === 'class_courses_course_id_fkey')
      throw new NotFoundError('not_found', 'Course not found');
    throw error;
  }
}

async function log(
  trx: Transaction<Tables>,
  { id: actorId }: Caller,
  type: string,
  { id, name }: { id: number; name: string },
  details: Record<string, unknown>,
): Promise<void> {
  await logActivity(trx, { actorId, type, title: name, entityType: 'class', entityId: id, details });
}
