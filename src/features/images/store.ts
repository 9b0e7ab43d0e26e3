import { type RawBuilder, type Selectable, sql, type Transaction } from 'kysely';
import { differences, logActivity } from '../../database/activity-log.ts';
import { inTransaction } from '../../database/catalogue/refusals.ts';
import type { Database } from '../../database/connection/connect.ts';
import type { ContainerImagesTable, Tables } from '../../database/tables.ts';
import { ConflictError, found, UnavailableError } from '../../errors.ts';
import type { Page } from '../../http/lists/paging.ts';
import { type ImagePart, type ImageProblem, wholeReference } from '../../values/image-problems.ts';

export type ImageRow = Selectable<ContainerImagesTable>;
export type ListedImage = ImageRow & { course_name: string | null };
type Given = { name: string; reference: string; course_id: number | null };
/** The columns of a credential for the row. */
type Seal = (id: number) => { username: string | null; sealed_password: Buffer | null };
export type PullOutcome =
  | { imageId: string; digest: string | null }
  | { problem: ImageProblem; lacks?: readonly ImagePart[] };

/** Images of a course at most: each can have 10 GiB, on the disk that all containers share. */
export const maxImagesPerCourse = 10;

const taken = () => new ConflictError('image_exists', 'There is an image with this reference already');
const again = {
  ...({ state: 'pulling', percent: 0, problem: null } as const),
  ...{ lacks: [] as ImagePart[], pulls: sql<number>`pulls + 1`, requested_at: sql<Date>`now()` },
};

/** The images that administrators and the staff of courses have added. */
export class ImageStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** By name. @param course those that the course has, and the named ones. Undefined: all */
  async list(page: Page, course?: { id: number; names: readonly string[] }) {
    const rows = this.#rows().$if(course !== undefined, (some) =>
      some.where((is) =>
        is.or([is('course_id', '=', course?.id ?? 0), is('reference', 'in', ['', ...(course?.names ?? [])])]),
      ),
    );
    const { total } = await rows.clearSelect().select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow();
    const paged = rows.orderBy('container_images.name').orderBy('container_images.id');
    return { rows: await paged.limit(page.limit).offset(page.offset).execute(), total };
  }

  /** Those of the names that nobody has added. */
  async notAdded(names: readonly string[]): Promise<string[]> {
    const { rows } = await sql<{ name: string }>`
      select given.name from unnest(${names}::text[]) with ordinality as given (name, place) where not exists (
        select from container_images where reference in (given.name, given.name || ':latest')) order by place`.execute(
      this.#db,
    );
    return rows.map(({ name }) => name);
  }

  async byId(id: number): Promise<ListedImage | undefined> {
    return await this.#rows().where('container_images.id', '=', id).executeTakeFirst();
  }

  #rows() {
    return this.#db
      .selectFrom('container_images')
      .leftJoin('courses', 'courses.id', 'container_images.course_id')
      .selectAll('container_images')
      .select('courses.name as course_name')
      .where('container_images.state', '<>', 'removed');
  }

  /**
   * The engine's identifier of the image that a name stands for.
   * @returns undefined for a name that was not added
   * @throws UnavailableError while none has passed its examination
   */
  async pinned(name: string): Promise<string | undefined> {
    const rows = this.#db.selectFrom('container_images').select('image_id');
    const row = await rows.where('reference', '=', wholeReference(name)).executeTakeFirst();
    if (row?.image_id === null)
      throw new UnavailableError('image_missing', 'The container image was removed, or has not been examined yet', {
        retryAfter: 60,
      });
    return row?.image_id;
  }

  /** One whose pull was asked for, the one that waits longest first. */
  async waiting() {
    const rows = this.#db.selectFrom('container_images').selectAll().where('state', '=', 'pulling');
    return await rows.orderBy('requested_at').orderBy('id').limit(1).executeTakeFirst();
  }

  /** What the engine still has and nothing uses: no name, and no container, stopped or just being created. */
  async stale() {
    const { rows } = await sql<{ id: number; reference: string; image_id: string }>`
      select i.id, i.reference, stale.image_id from container_images as i, unnest(stale_ids) as stale (image_id)
      where not exists (select from container_images as other where other.image_id = stale.image_id)
        and not exists (select from containers as c where c.image_id = stale.image_id
          or (c.image_id is null and c.image in (i.reference, regexp_replace(i.reference, ':latest$', ''))))`.execute(
      this.#db,
    );
    return rows;
  }

  async forgetStale(id: number, imageId: string): Promise<void> {
    const query = this.#db.updateTable('container_images').where('id', '=', id);
    await query.set({ stale_ids: sql`array_remove(stale_ids, ${imageId})` }).execute();
  }

  /** A removed one with the reference becomes this one. @throws ConflictError if the reference is taken, or the course has its share */
  async create(actorId: number, given: Given, seal: Seal): Promise<ImageRow> {
    return await inTransaction(this.#db, { container_images_reference_key: taken }, async (trx) => {
      if (given.course_id !== null) await checkShare(trx, given.course_id);
      const removed = trx.selectFrom('container_images').select('id').where('reference', '=', given.reference);
      const before = await removed.where('state', '=', 'removed').forUpdate().executeTakeFirst();
      const id = before?.id ?? (await nextId(trx));
      const values = { ...given, ...seal(id) };
      const row = before
        ? await put(trx, id, { ...values, ...again, digest: null, examined_at: null, created_at: sql`now()` })
        : await trx
            .insertInto('container_images')
            .values({ id, ...values })
            .returningAll()
            .executeTakeFirstOrThrow();
      await log(trx, actorId, 'create', row, { new: given });
      return row;
    });
  }

  /** A new credential leads to a new pull. @returns undefined without the row */
  async update(actorId: number, id: number, change: { name?: string | undefined }, seal: Seal | undefined) {
    return await inTransaction(this.#db, {}, async (trx) => {
      const rows = trx.selectFrom('container_images').selectAll().where('id', '=', id).where('state', '<>', 'removed');
      const before = await rows.forUpdate().executeTakeFirst();
      if (!before) return undefined;
      const details = differences(before, change);
      if (!details && !seal) return before;
      const row = await put(trx, id, { ...change, ...(seal && { ...seal(id), ...again }) });
      await log(trx, actorId, 'update', row, { ...details, ...(seal && { has_new_credential: true }) });
      return row;
    });
  }

  /** @returns undefined without the row */
  async pullAgain(actorId: number, id: number): Promise<ImageRow | undefined> {
    return await inTransaction(this.#db, {}, async (trx) => {
      const query = trx.updateTable('container_images').set(again).where('id', '=', id).where('state', '<>', 'removed');
      const row = await query.returningAll().executeTakeFirst();
      if (row) await log(trx, actorId, 'pull', row, { old: { digest: row.digest } });
      return row;
    });
  }

  /**
   * Its reference is refused from then on, and the engine has its image to delete.
   * @returns the removed row. @throws ConflictError while an assessment, a template or a container has it
   */
  async delete(actorId: number, id: number): Promise<ImageRow | undefined> {
    return await inTransaction(this.#db, {}, async (trx) => {
      const query = trx.updateTable('container_images').where('id', '=', id).where('state', '<>', 'removed');
      const row = await query
        .set({ state: 'removed', problem: null, username: null, sealed_password: null, image_id: null })
        .set({ pulls: sql`pulls + 1`, stale_ids: withStale(sql`image_id`) })
        .returningAll()
        .executeTakeFirst();
      if (!row) return undefined;
      const names = [row.reference, row.reference.replace(/:latest$/, '')];
      const has = (table: string, column: string): RawBuilder<unknown> =>
        sql`select from ${sql.table(table)} where ${sql.ref(column)} = any(${names}::text[])`;
      const { rows } = await sql<{ is_used: boolean }>`
        select exists (${has('assessments', 'container_image')}) or exists (${has('sandbox_templates', 'image')})
          or exists (${has('containers', 'image')}) as is_used`.execute(trx);
      if (rows[0]?.is_used)
        throw new ConflictError(
          'image_in_use',
          'An exam, a laboratory, a sandbox template or a container has the image',
        );
      await log(trx, actorId, 'delete', row, { old: { name: row.name, reference: row.reference } });
      return row;
    });
  }

  async setPercent({ id, pulls }: ImageRow, percent: number): Promise<void> {
    const query = this.#db.updateTable('container_images').set({ percent }).where('id', '=', id);
    await query.where('pulls', '=', pulls).where('state', '=', 'pulling').execute();
  }

  /** What was pulled is deleted unless it is recorded as usable, also if this process ends before. */
  async markPulled(id: number, imageId: string): Promise<void> {
    const query = this.#db.updateTable('container_images').where('id', '=', id);
    await query.set({ stale_ids: withStale(imageId) }).execute();
  }

  /** Not recorded if the image was removed or another pull was asked for meanwhile. */
  async record({ id, pulls }: ImageRow, outcome: PullOutcome): Promise<void> {
    const values =
      'problem' in outcome
        ? { state: 'failed' as const, problem: outcome.problem, lacks: [...(outcome.lacks ?? [])] }
        : {
            ...{ state: 'ready' as const, percent: 100, problem: null, lacks: [], stale_ids: withStale(sql`image_id`) },
            ...{ digest: outcome.digest, image_id: outcome.imageId, examined_at: sql<Date>`now()` },
          };
    const row = this.#db.updateTable('container_images').where('id', '=', id);
    await row.set(values).where('pulls', '=', pulls).execute();
  }
}

/** What is used is left out when the others are deleted. */
const withStale = (imageId: string | RawBuilder<unknown>) =>
  sql<string[]>`array_remove(array_append(array_remove(stale_ids, ${imageId}::text), ${imageId}::text), null)`;

async function nextId(trx: Transaction<Tables>): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('container_images', 'id'))::int as id`.execute(trx);
  return rows[0]?.id ?? 0;
}

/** The lock on the course lets one after another add an image. @throws ConflictError */
async function checkShare(trx: Transaction<Tables>, courseId: number): Promise<void> {
  const courses = trx.selectFrom('courses').select('id').where('id', '=', courseId);
  found(await courses.forNoKeyUpdate().executeTakeFirst(), 'Course');
  const own = trx.selectFrom('container_images').select('id').where('course_id', '=', courseId);
  if ((await own.where('state', '<>', 'removed').execute()).length >= maxImagesPerCourse)
    throw new ConflictError('too_many_images', `The course has ${maxImagesPerCourse} container images already`);
}

async function put(trx: Transaction<Tables>, id: number, values: object): Promise<ImageRow> {
  const query = trx.updateTable('container_images').set(values).where('id', '=', id);
  return await query.returningAll().executeTakeFirstOrThrow();
}

async function log(
  trx: Transaction<Tables>,
  actorId: number,
  verb: 'create' | 'update' | 'delete' | 'pull',
  { id, name }: ImageRow,
  details: Record<string, unknown>,
): Promise<void> {
  const act = { actorId, type: `admin_container_image_${verb}`, title: name, entityType: 'container_image' };
  await logActivity(trx, { ...act, entityId: id, details });
}
