import { sql, type Transaction } from 'kysely';
import type { Static } from 'typebox';
import { logActivity } from '../../database/activity-log.ts';
import type { CatalogueLimits } from '../../database/catalogue/catalogue-limits.ts';
import { courseRoleOf } from '../../database/catalogue/course-content.ts';
import { imageRefusals } from '../../database/catalogue/refusals.ts';
import { type Database, violatedConstraint } from '../../database/connection/connect.ts';
import { deletableTables } from '../../database/deletions/kinds.ts';
import { parentDeleted, restoreDeleted } from '../../database/deletions/restore.ts';
import { isCreator } from '../../database/exam-session-rules.ts';
import type { DeletedKind, Tables } from '../../database/tables.ts';
import { ConflictError, ForbiddenError, NotFoundError } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import type { Page } from '../../http/lists/paging.ts';
import { type CourseRole, coursePolicies, includesRole } from '../../values/course-policies.ts';
import { changeableClass } from '../classes/access-store.ts';
import type { DeletionSchema } from './schema.ts';

export type DeletionRow = Static<typeof DeletionSchema>;
export type Restored = { kind: DeletedKind; entity_id: number; title: string };
export type DeletionOptions = {
  undoMinutes: number;
  days: number;
  catalogue: CatalogueLimits;
  siblings: SiblingLimits;
};

type Kept = Restored & { id: number; class_id: number | null; course_id: number | null; deleted_by: number | null };

/** What belongs to a class, or is a class. Staff of courses delete what belongs to their courses, administrators all else. */
const ofClasses: readonly DeletedKind[] = ['class', 'class_join_code', 'class_grade_column', 'exam_session'];

/** What was deleted and can be restored. */
export class DeletionStore {
  readonly #db: Database;
  readonly #options: DeletionOptions;

  constructor(db: Database, options: DeletionOptions) {
    this.#db = db;
    this.#options = options;
  }

  /** The newest first. Notes belong to their users alone and are not listed. */
  async list({ limit, offset }: Page): Promise<{ rows: DeletionRow[]; total: number }> {
    const { rows } = await sql<DeletionRow>`
      select d.id, d.kind, d.entity_id, d.title, users.username as deleted_by, d.deleted_at,
        d.deleted_at + make_interval(days => ${this.#options.days}) as expires_at,
        (select count(*)::int from deleted_rows where deletion_id = d.id and not is_reference) as row_count
      from deletions d left join users on users.id = d.deleted_by
      where d.kind <> 'note' order by d.deleted_at desc, d.id desc limit ${limit} offset ${offset}`.execute(this.#db);
    const { total } = await this.#db
      .selectFrom('deletions')
      .where('kind', '<>', 'note')
      .select(sql<number>`count(*)::int`.as('total'))
      .executeTakeFirstOrThrow();
    return { rows, total };
  }

  /**
   * Restores what the caller deleted in the last minutes.
   * @throws NotFoundError for anything else; ForbiddenError where the caller may not change the class or the course any more, or is no
   * administrator any more;
   * ConflictError see `restore`
   */
  async undo(caller: Caller, kind: DeletedKind, entityId: number): Promise<Restored> {
    return await this.#restore(caller.id, async (trx) => {
      const kept = await trx
        .selectFrom('deletions')
        .selectAll()
        .where('kind', '=', kind)
        .where('entity_id', '=', entityId)
        .where('deleted_by', '=', caller.id)
        .where('deleted_at', '>', sql<Date>`now() - make_interval(mins => ${this.#options.undoMinutes})`)
        .forUpdate()
        .executeTakeFirst();
      if (kept && kind !== 'note') {
        if (kept.class_id !== null) await changeableClass(trx, caller, kept.class_id, 'share');
        else if (kept.course_id !== null) await checkStaff(trx, caller, kept, kept.course_id);
        else if (caller.role !== 'admin' && !ofClasses.includes(kind))
          throw new ForbiddenError('admin_required', 'Admin access required');
        else if (caller.role === 'student')
          throw new ForbiddenError('instructor_required', 'Instructor access required');
      }
      return kept;
    });
  }

  /** @throws NotFoundError; ConflictError where something else has its name or place, its parent is deleted, or a limit is reached */
  async restore(actorId: number, id: number): Promise<Restored> {
    return await this.#restore(actorId, async (trx) => await this.#listed(trx, id));
  }

  /** Deletes it for good. @throws NotFoundError */
  async discard(actorId: number, id: number): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      const kept = await this.#listed(trx, id);
      if (!kept) throw notKept();
      await trx.deleteFrom('deletions').where('id', '=', id).execute();
      await log(trx, actorId, 'deletion_discard', kept);
    });
  }

  /** Deletes for good what is too old to be restored. @returns how many */
  async clean(): Promise<number> {
    const { undoMinutes, days } = this.#options;
    const { numAffectedRows } = await sql`
      delete from deletions where deleted_at < now() - make_interval(days => ${days})
        or (kind = 'note' and deleted_at < now() - make_interval(mins => ${undoMinutes}))`.execute(this.#db);
    return Number(numAffectedRows ?? 0);
  }

  async #listed(trx: Transaction<Tables>, id: number): Promise<Kept | undefined> {
    const query = trx.selectFrom('deletions').selectAll().where('id', '=', id).where('kind', '<>', 'note');
    return await query.forUpdate().executeTakeFirst();
  }

  async #restore(actorId: number, find: (trx: Transaction<Tables>) => Promise<Kept | undefined>): Promise<Restored> {
    const { catalogue, siblings } = this.#options;
    return await this.#db
      .transaction()
      .execute(async (trx) => {
        const kept = await find(trx);
        if (!kept) throw notKept();
        await restoreDeleted(trx, kept, catalogue);
        await checkSiblings(trx, kept, siblings);
        // Notes are nobody else's concern.
        if (kept.kind !== 'note') await log(trx, actorId, 'deletion_restore', kept);
        return kept;
      })
      .catch((error: unknown) => {
        const constraint = violatedConstraint(error);
        if (constraint === undefined) throw error;
        const refusal = imageRefusals[constraint];
        if (refusal) throw refusal();
        throw new ConflictError('restore_conflict', 'Something else has its name or its place now');
      });
  }
}

/**
 * Who deleted it may change its course now. The staff of a deleted course are those that it had.
 * @throws ForbiddenError; ConflictError where its course is deleted
 */
async function checkStaff(trx: Transaction<Tables>, caller: Caller, { id, kind }: Kept, courseId: number) {
  if (caller.role === 'admin') return;
  const role = kind === 'course' ? await keptRole(trx, caller, id) : await courseRoleOf(trx, caller, courseId);
  // Without its course it would belong to none, and all students could see it.
  if (role === undefined && kind !== 'course') throw parentDeleted();
  if (!role) throw new ForbiddenError('admin_required', 'Admin access required');
  const needed = kind === 'course' ? coursePolicies.course.delete : coursePolicies.sections.delete;
  if (!includesRole(role, needed))
    throw new ForbiddenError('forbidden', 'Only those who may change the course may do this');
}

async function keptRole(trx: Transaction<Tables>, { id, role }: Caller, deletionId: number) {
  if (role === 'student') return undefined;
  const { rows } = await sql<{ role: CourseRole }>`select data->>'role' as role from deleted_rows
    where deletion_id = ${deletionId} and table_name = 'course_staff' and not is_reference and user_id = ${id}`.execute(
    trx,
  );
  return rows[0]?.role;
}

const notKept = (): NotFoundError => new NotFoundError('not_found', 'Deletion not found');

async function log(trx: Transaction<Tables>, actorId: number, type: string, { kind, entity_id, title }: Restored) {
  await logActivity(trx, { actorId, type, title, entityType: kind, entityId: entity_id });
}

/** The maximum number of each kind in one class, or of one user. */
type SiblingLimits = Record<keyof typeof limited, number>;

const limited = {
  class_join_code: { column: 'class_id', code: 'too_many_join_codes', detail: 'The class has too many join codes' },
  class_grade_column: {
    column: 'class_id',
    code: 'too_many_grade_columns',
    detail: 'The grade book has too many columns',
  },
  exam_session: { column: 'class_id', code: 'too_many_exam_sessions', detail: 'The class has too many exam sessions' },
  announcement: { column: 'class_id', code: 'too_many_announcements', detail: 'There are too many announcements' },
  note: { column: 'user_id', code: 'too_many_notes', detail: 'You have too many notes' },
} as const;

const isLimited = (kind: DeletedKind): kind is keyof typeof limited => kind in limited;

/** Call it after a row was restored. @throws ConflictError where there are more than the maximum */
async function checkSiblings(
  trx: Transaction<Tables>,
  { kind, entity_id }: { kind: DeletedKind; entity_id: number },
  limits: SiblingLimits,
): Promise<void> {
  if (!isLimited(kind)) return;
  const { column, code, detail } = limited[kind];
  const table = sql.table(deletableTables[kind].table);
  const parent = sql.ref(column);
  // Those without a class have another limit.
  const isSibling = kind === 'exam_session' ? sql`class_id is not null` : sql`true`;
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${table}
    where ${parent} is not distinct from (select ${parent} from ${table} where id = ${entity_id}) and ${isSibling}`.execute(
    trx,
  );
  if ((rows[0]?.count ?? 0) > limits[kind]) throw new ConflictError(code, detail);
  if (kind === 'exam_session') await checkSupervisors(trx, entity_id, limits[kind]);
}

/**
 * The sessions without a class are limited for each supervisor of a restored one: those that the supervisor has created, and those of others.
 * @throws ConflictError
 */
async function checkSupervisors(trx: Transaction<Tables>, id: number, max: number): Promise<void> {
  const { rows } = await sql`
    select from exam_sessions as restored
    join exam_session_users as own on own.session_id = restored.id and own.role = 'instructor'
    join exam_session_users as theirs on theirs.user_id = own.user_id and theirs.role = 'instructor'
    join exam_sessions as s on s.id = theirs.session_id
    where restored.id = ${id} and ${sql.raw(isCreator('theirs', 's'))} = ${sql.raw(isCreator('own', 'restored'))}
    group by own.user_id having count(*) > ${max}`.execute(trx);
  if (rows.length > 0) throw new ConflictError('too_many_exam_sessions', 'A supervisor has too many exam sessions');
}
