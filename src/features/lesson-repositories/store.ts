import { sql, type Transaction } from 'kysely';
import { differences, logActivity } from '../../database/activity-log.ts';
import { checkRepositoryRoom } from '../../database/catalogue/lesson-repositories.ts';
import { inTransaction } from '../../database/catalogue/refusals.ts';
import type { Database } from '../../database/connection/connect.ts';
import { lock } from '../../database/locks.ts';
import type { LessonAddress, Tables } from '../../database/tables.ts';
import { ConflictError } from '../../errors.ts';

export type RepositoryRow = NonNullable<Awaited<ReturnType<RepositoryStore['byId']>>>;
export type RepositoryFields = { name: string; url: string; branch: string | null; username: string | null };
/** The new encrypted key, null for none, undefined if it does not change. */
export type SealKey = (id: number, before: RepositoryFields | undefined) => Buffer | null | undefined;

const taken = () => new ConflictError('conflict', 'There is a lesson repository with this address and branch already');
const inUse = () => new ConflictError('repository_in_use', 'Courses read their lessons from the repository');
const second = () => new ConflictError('conflict', 'The course has a lesson repository of its own already');
const refusals = {
  lesson_repositories_address_key: taken,
  courses_repository_id_fkey: inUse,
  course_own_repositories_pkey: second,
};

/** The lesson repositories of administrators. */
export class RepositoryStore {
  readonly #db: Database;
  readonly #max: number;

  constructor(db: Database, max: number) {
    [this.#db, this.#max] = [db, max];
  }

  /** By name: all, or that of a course of its own. */
  async list(courseId?: number) {
    const rows = this.#db.selectFrom('lesson_repositories').selectAll().orderBy('name').orderBy('id');
    if (courseId === undefined) return await rows.execute();
    const own = this.#db
      .selectFrom('course_own_repositories')
      .select('repository_id')
      .where('course_id', '=', courseId);
    return await rows.where('id', 'in', own).execute();
  }

  async byId(id: number) {
    return await this.#db.selectFrom('lesson_repositories').selectAll().where('id', '=', id).executeTakeFirst();
  }

  async at({ url, branch }: LessonAddress) {
    const rows = this.#db.selectFrom('lesson_repositories').selectAll().where('url', '=', url);
    return await rows.where('branch', 'is not distinct from', branch).executeTakeFirst();
  }

  /** All courses in their order, or one of them, with the ids of their repositories. */
  async courses(courseId?: number) {
    const courses = this.#db
      .selectFrom('courses')
      .select(['id', 'name', 'repository_id'])
      .$if(courseId !== undefined, (some) => some.where('id', '=', courseId ?? 0));
    return await courses.orderBy('order_index').orderBy('id').execute();
  }

  /** @throws ConflictError if the address is taken, or there are too many */
  async create(
    actorId: number,
    fields: RepositoryFields,
    { seal, courseId }: { seal: SealKey; courseId: number | undefined },
  ): Promise<RepositoryRow> {
    return await inTransaction(this.#db, refusals, async (trx) => {
      await lock(trx, 'lesson repositories');
      const { id } = await trx
        .insertInto('lesson_repositories')
        .values(fields)
        .returning('id')
        .executeTakeFirstOrThrow();
      await checkRepositoryRoom(trx, this.#max);
      if (courseId !== undefined)
        await trx.insertInto('course_own_repositories').values({ course_id: courseId, repository_id: id }).execute();
      const sealed_key = seal(id, undefined) ?? null;
      const row = await put(trx, id, { sealed_key });
      await log(trx, actorId, 'create', row, { new: { ...fields, has_key: sealed_key !== null } });
      return row;
    });
  }

  /** @returns undefined without the row. @throws ConflictError if the address is taken */
  async update(
    actorId: number,
    id: number,
    fields: Partial<RepositoryFields>,
    seal: SealKey,
  ): Promise<{ before: RepositoryRow; row: RepositoryRow } | undefined> {
    return await inTransaction(this.#db, refusals, async (trx) => {
      const rows = trx.selectFrom('lesson_repositories').selectAll().where('id', '=', id);
      const before = await rows.forUpdate().executeTakeFirst();
      if (!before) return undefined;
      const sealed_key = seal(id, before);
      const details = differences(before, fields);
      const key = sealed_key === undefined ? {} : { sealed_key };
      if (!details && sealed_key === undefined) return { before, row: before };
      // What is known of the old address or key does not hold for the new one.
      const state = { commit: null, updated_at: null, error: null, failed_at: null };
      const row = await put(trx, id, { ...fields, ...key, ...state });
      await log(trx, actorId, 'update', row, {
        ...details,
        ...(sealed_key === undefined ? {} : { has_new_key: true }),
      });
      return { before, row };
    });
  }

  /** @returns the deleted row. @throws ConflictError while a course uses it */
  async delete(actorId: number, id: number): Promise<RepositoryRow | undefined> {
    return await inTransaction(this.#db, refusals, async (trx) => {
      const row = await trx.deleteFrom('lesson_repositories').where('id', '=', id).returningAll().executeTakeFirst();
      if (row) await log(trx, actorId, 'delete', row, { old: { name: row.name, url: row.url, branch: row.branch } });
      return row;
    });
  }

  /** @param repository `id` is null for that of the service */
  async logHostKey(actorId: number, repository: { id: number | null; name: string }, fingerprint: string) {
    await inTransaction(this.#db, {}, (trx) =>
      log(trx, actorId, 'update', repository, { new: { host_key: fingerprint } }),
    );
  }

  /** The commit that the repository of the service has now. A new one is reported to webhooks, once for all processes. */
  async recordMain(commit: string): Promise<void> {
    const seen = this.#db.insertInto('lesson_commits').values({ commit });
    await seen.onConflict((conflict) => conflict.doNothing()).execute();
  }

  /** The outcome of an update with the address and the key of a row. */
  async record(
    { id, url, sealed_key }: { id: number; url: string; sealed_key: Buffer | null },
    outcome: { commit: string | null } | { error: string },
  ): Promise<void> {
    const now = sql<Date>`now()`;
    const state =
      'error' in outcome
        ? { error: outcome.error, failed_at: now }
        : { commit: outcome.commit, updated_at: now, error: null, failed_at: null };
    await this.#db
      .updateTable('lesson_repositories')
      .set(state)
      .where('id', '=', id)
      .where('url', '=', url)
      .where('sealed_key', 'is not distinct from', sealed_key)
      .execute();
  }
}

async function put(trx: Transaction<Tables>, id: number, values: object): Promise<RepositoryRow> {
  const query = trx.updateTable('lesson_repositories').set(values).where('id', '=', id);
  return await query.returningAll().executeTakeFirstOrThrow();
}

async function log(
  trx: Transaction<Tables>,
  actorId: number,
  verb: 'create' | 'update' | 'delete',
  { id, name }: { id: number | null; name: string },
  details: Record<string, unknown>,
): Promise<void> {
  const act = { actorId, type: `admin_lesson_repository_${verb}`, title: name, entityType: 'lesson_repository' };
  await logActivity(trx, { ...act, entityId: id, details });
}
