import { type Insertable, type Selectable, sql, type Transaction } from 'kysely';
import { Conflict, NotFound } from '../../errors.ts';
import { differences, logActivity } from '../activity-log.ts';
import { type Database, violatedConstraint } from '../connection/connect.ts';
import type { Tables } from '../tables.ts';
import { type CatalogueLimits, checkRoom } from './catalogue-room.ts';
import { freeSlug, slugOf } from './slugs.ts';

type TableName = 'courses' | 'sections' | 'themes' | 'sandbox_templates';

export type AdministeredTableOptions<Name extends TableName> = {
  db: Database;
  limits: CatalogueLimits;
  table: Name;
  /** What a row is called, in the activity log and, with a capital, in errors. */
  entity: string;
  label: 'name' | 'title';
  /** What a row belongs to: rows of one parent have an order and slugs of their own. */
  parent?: { table: 'courses' | 'sections'; column: 'course_id' | 'section_id'; entity: string };
};

/** The fields that an administrator gives; the slug is made from the name where it is not one of them. */
export type NewRow<Name extends TableName> = Omit<Insertable<Tables[Name]>, 'slug'> & { slug?: string };

/** Any of the tables: what is read here is in all of them, and the compiler follows one. */
type AnyTable = 'sections';
type Values = { slug?: string; order_index?: number } & Record<string, unknown>;

/** Rows that administrators create, change and delete: named, with a slug, in an order. Each act is in the activity log. */
export class AdministeredTable<Name extends TableName> {
  readonly #options: AdministeredTableOptions<Name>;
  readonly #table: AnyTable;

  constructor(options: AdministeredTableOptions<Name>) {
    this.#options = options;
    this.#table = options.table as string as AnyTable;
  }

  /** In their order, inactive ones too. @param parentId only those of one parent */
  async list(
    page: { limit: number; offset: number },
    parentId?: number,
  ): Promise<{ rows: Selectable<Tables[Name]>[]; total: number }> {
    const { db, parent } = this.#options;
    let query = db.selectFrom(this.#table);
    if (parent && parentId !== undefined) query = query.where(parent.column as 'course_id', '=', parentId);
    const ordered = query.selectAll().$if(parent !== undefined, (some) => some.orderBy(parent?.column as 'course_id'));
    const rows = await ordered.orderBy('order_index').orderBy('id').limit(page.limit).offset(page.offset).execute();
    const { total } = await query.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow();
    return { rows: rows as unknown as Selectable<Tables[Name]>[], total };
  }

  /** @throws NotFound */
  async byId(id: number): Promise<Selectable<Tables[Name]>> {
    const row = await this.#options.db.selectFrom(this.#table).selectAll().where('id', '=', id).executeTakeFirst();
    if (!row) throw this.#missing();
    return row as unknown as Selectable<Tables[Name]>;
  }

  /** Without an order it comes last. @throws NotFound without its parent, Conflict when the slug given is taken, or there are as many as there can be */
  async create(actorId: number, fields: NewRow<Name>): Promise<Selectable<Tables[Name]>> {
    return await this.#write(async (trx) => {
      const given = fields as unknown as Values;
      const parentId = await this.#lockParent(trx, given);
      const slug = given.slug ?? (await this.#slugFor(trx, String(given[this.#options.label]), parentId));
      const order_index = given.order_index ?? (await this.#lastOrder(trx, parentId)) + 1;
      const values = { ...given, slug, order_index };
      const row = await trx
        .insertInto(this.#table)
        .values(values as never)
        .returningAll()
        .executeTakeFirstOrThrow();
      await this.#log(trx, actorId, 'create', row, { new: values });
      await checkRoom(trx, this.#options.table, this.#options.limits);
      return row;
    });
  }

  /**
   * Fields that are left out stay. What moves to another parent where its slug is taken gets another.
   * @throws NotFound without the row or its new parent, Conflict when the slug given is taken
   */
  async update(actorId: number, id: number, fields: Partial<NewRow<Name>>): Promise<Selectable<Tables[Name]>> {
    return await this.#write(async (trx) => {
      const before = await trx.selectFrom(this.#table).selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
      if (!before) throw this.#missing();
      const values = { ...fields } as Values;
      const { parent } = this.#options;
      const isMoved =
        parent !== undefined &&
        values[parent.column] !== undefined &&
        values[parent.column] !== before[parent.column as 'course_id'];
      if (isMoved) {
        const parentId = await this.#lockParent(trx, values);
        values.slug ??= freeSlug(before.slug, await this.#slugs(trx, before.slug, parentId));
      }
      const details = differences(before, values);
      if (!details) return before;
      const row = await trx
        .updateTable(this.#table)
        .set(values as never)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow();
      await this.#log(trx, actorId, 'update', row, details);
      return row;
    });
  }

  /** @throws NotFound */
  async delete(actorId: number, id: number): Promise<void> {
    await this.#write(async (trx) => {
      const row = await trx.deleteFrom(this.#table).where('id', '=', id).returningAll().executeTakeFirst();
      if (!row) throw this.#missing();
      await this.#log(trx, actorId, 'delete', row, { old: row });
      return row;
    });
  }

  async #write(work: (trx: Transaction<Tables>) => Promise<object>): Promise<Selectable<Tables[Name]>> {
    try {
      return (await this.#options.db.transaction().execute(work)) as Selectable<Tables[Name]>;
    } catch (error) {
      if (violatedConstraint(error)?.endsWith('slug_key')) throw new Conflict('slug_taken', 'The slug is taken');
      throw error;
    }
  }

  /** Those that write among the same siblings wait for each other. @returns the parent's id */
  async #lockParent(trx: Transaction<Tables>, values: Values): Promise<number | undefined> {
    const { parent, table } = this.#options;
    if (!parent) {
      await sql`select pg_advisory_xact_lock(hashtext(${table}))`.execute(trx);
      return undefined;
    }
    const id = values[parent.column] as number;
    const row = await trx
      .selectFrom(parent.table as 'courses')
      .select('id')
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (!row) throw new NotFound('not_found', `${capital(parent.entity)} not found`);
    return id;
  }

  async #slugFor(trx: Transaction<Tables>, name: string, parentId: number | undefined): Promise<string> {
    const slug = slugOf(name, this.#options.entity.replaceAll(' ', '-'));
    return freeSlug(slug, await this.#slugs(trx, slug, parentId));
  }

  async #slugs(trx: Transaction<Tables>, slug: string, parentId: number | undefined): Promise<Set<string>> {
    const rows = await this.#siblings(trx, parentId).select('slug').where('slug', 'like', `${slug}%`).execute();
    return new Set(rows.map((row) => row.slug));
  }

  async #lastOrder(trx: Transaction<Tables>, parentId: number | undefined): Promise<number> {
    const last = await this.#siblings(trx, parentId)
      .select(({ fn }) => fn.max('order_index').as('order_index'))
      .executeTakeFirst();
    return last?.order_index ?? 0;
  }

  #siblings(trx: Transaction<Tables>, parentId: number | undefined) {
    const query = trx.selectFrom(this.#table);
    const column = this.#options.parent?.column as 'course_id';
    return parentId === undefined ? query : query.where(column, '=', parentId);
  }

  async #log(
    trx: Transaction<Tables>,
    actorId: number,
    verb: string,
    row: { id: number },
    details: Record<string, unknown>,
  ): Promise<void> {
    const { entity, label } = this.#options;
    const entityType = entity.replaceAll(' ', '_');
    const title = String((row as unknown as Values)[label]);
    await logActivity(trx, {
      actorId,
      type: `admin_${entityType}_${verb}`,
      title,
      entityType,
      entityId: row.id,
      details,
    });
  }

  readonly #missing = () => new NotFound('not_found', `${capital(this.#options.entity)} not found`);
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
