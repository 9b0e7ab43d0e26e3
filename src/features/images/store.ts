import { type RawBuilder, sql, type Transaction } from 'kysely';
import { differences, logActivity } from '../../database/activity-log.ts';
import { inTransaction } from '../../database/catalogue/refusals.ts';
import type { Database } from '../../database/connection/connect.ts';
import type { Tables } from '../../database/tables.ts';
import { ConflictError, UnavailableError } from '../../errors.ts';
import { type ImagePart, type ImageProblem, wholeReference } from '../../values/image-problems.ts';

export type ImageRow = NonNullable<Awaited<ReturnType<ImageStore['byId']>>>;
type Given = { name: string; reference: string };
/** The columns of a credential for the row. */
type Seal = (id: number) => { username: string | null; sealed_password: Buffer | null };
export type PullOutcome =
  | { imageId: string; digest: string | null }
  | { problem: ImageProblem; lacks?: readonly ImagePart[] };

const taken = () => new ConflictError('conflict', 'There is an image with this reference already');
const again = {
  ...({ state: 'pulling', percent: 0, problem: null } as const),
  ...{ lacks: [] as ImagePart[], pulls: sql<number>`pulls + 1` },
};

/** The images that administrators have added. */
export class ImageStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async list() {
    return await this.#db.selectFrom('container_images').selectAll().orderBy('name').orderBy('id').execute();
  }

  async byId(id: number) {
    return await this.#db.selectFrom('container_images').selectAll().where('id', '=', id).executeTakeFirst();
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
      throw new UnavailableError('image_missing', 'The container image has not been examined yet', { retryAfter: 60 });
    return row?.image_id;
  }

  /** One whose pull was asked for, the oldest first. */
  async waiting() {
    const rows = this.#db.selectFrom('container_images').selectAll().where('state', '=', 'pulling');
    return await rows.orderBy('id').limit(1).executeTakeFirst();
  }

  /** @throws ConflictError if the reference is taken */
  async create(actorId: number, given: Given, seal: Seal): Promise<ImageRow> {
    return await inTransaction(this.#db, { container_images_reference_key: taken }, async (trx) => {
      const { id } = (
        await sql<{ id: number }>`
        select nextval(pg_get_serial_sequence('container_images', 'id'))::int as id`.execute(trx)
      ).rows[0] ?? { id: 0 };
      const values = { id, ...given, ...seal(id) };
      const row = await trx.insertInto('container_images').values(values).returningAll().executeTakeFirstOrThrow();
      await log(trx, actorId, 'create', row, { new: given });
      return row;
    });
  }

  /** A new credential leads to a new pull. @returns undefined without the row */
  async update(actorId: number, id: number, change: { name?: string | undefined }, seal: Seal | undefined) {
    return await inTransaction(this.#db, {}, async (trx) => {
      const rows = trx.selectFrom('container_images').selectAll().where('id', '=', id);
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
      const query = trx.updateTable('container_images').set(again).where('id', '=', id);
      const row = await query.returningAll().executeTakeFirst();
      if (row) await log(trx, actorId, 'pull', row, { old: { digest: row.digest } });
      return row;
    });
  }

  /** @returns the deleted row. @throws ConflictError while an assessment, a template or a container has it */
  async delete(actorId: number, id: number): Promise<ImageRow | undefined> {
    return await inTransaction(this.#db, {}, async (trx) => {
      const row = await trx.deleteFrom('container_images').where('id', '=', id).returningAll().executeTakeFirst();
      if (!row) return undefined;
      const names = [row.reference, row.reference.replace(/:latest$/, '')];
      const has = (table: string, column: string): RawBuilder<unknown> =>
        sql`select from ${sql.table(table)} where ${sql.ref(column)} = any(${names}::text[])`;
      const { rows } = await sql<{ is_used: boolean }>`
        select exists (${has('assessments', 'container_image')}) or exists (${has('sandbox_templates', 'image')})
          or exists (${has('containers', 'image')}) as is_used`.execute(trx);
      if (rows[0]?.is_used)
        throw new ConflictError('conflict', 'An exam, a laboratory, a sandbox template or a container has the image');
      await log(trx, actorId, 'delete', row, { old: { name: row.name, reference: row.reference } });
      return row;
    });
  }

  async setPercent({ id, pulls }: ImageRow, percent: number): Promise<void> {
    const query = this.#db.updateTable('container_images').set({ percent }).where('id', '=', id);
    await query.where('pulls', '=', pulls).where('state', '=', 'pulling').execute();
  }

  /** @returns false if the image was deleted, or another pull was asked for meanwhile */
  async record({ id, pulls }: ImageRow, outcome: PullOutcome): Promise<boolean> {
    const values =
      'problem' in outcome
        ? { state: 'failed' as const, problem: outcome.problem, lacks: [...(outcome.lacks ?? [])] }
        : {
            ...{ state: 'ready' as const, percent: 100, problem: null, lacks: [] },
            ...{ digest: outcome.digest, image_id: outcome.imageId, examined_at: sql<Date>`now()` },
          };
    const query = this.#db.updateTable('container_images').set(values).where('id', '=', id).where('pulls', '=', pulls);
    return (await query.executeTakeFirst()).numUpdatedRows > 0n;
  }
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
