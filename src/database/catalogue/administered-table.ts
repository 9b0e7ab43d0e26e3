import { type Insertable, sql, type Transaction } from 'kysely';
import { ConflictError, found } from '../../errors.ts';
import { differences, logActivity } from '../activity-log.ts';
import type { Database } from '../connection/connect.ts';
import { keepDeleted } from '../deletions/keep.ts';
import type { Order, Page } from '../lists/keyset.ts';
import { lock } from '../locks.ts';
import type { AttemptKind, DeletedKind, Tables } from '../tables.ts';
import { kindColumn } from './assessments.ts';
import { type CatalogueEntry, type CatalogueLimits, checkLimit, checkTaskLimit } from './catalogue-limits.ts';
import { isInCourse } from './course-content.ts';
import { checkOpenings, isOpeningKind } from './openings.ts';
import { inTransaction, type Refusals } from './refusals.ts';

export type AdministeredTableOptions<Row, New> = {
  db: Database;
  limits: CatalogueLimits;
  table: 'courses' | 'sections' | 'themes' | 'sandbox_templates' | 'assessments' | 'assessment_tasks';
  /** Which rows of a table that has both kinds. */
  kind?: AttemptKind;
  /** The name of a row in the activity log and, capitalised, in errors. */
  entity: string;
  label: 'name' | 'title';
  /** The slug of a row whose name has no Latin letter or digit; default: the entity. */
  fallbackSlug?: string;
  /** The parent of a row. Order and slugs are scoped to the parent. */
  parent?: {
    table: 'courses' | 'sections' | 'assessments';
    column: 'course_id' | 'section_id' | 'assessment_id';
    entity: string;
  };
  /** The `order_index` of the first row, default 1; `none` for rows in the order of their ids. */
  firstOrder?: 0 | 'none';
  /** Expressions by which the list can be sorted, by the name of the field. Other fields are the usual order. */
  sortedBy?: Readonly<Record<string, string>>;
  /** Errors for constraint violations. */
  refusals?: Refusals;
  /** What is written of a new row, or of a change to a row. @throws the error that refuses it */
  toRow?: (fields: Partial<New>, before?: Row) => object;
  /** @throws the error that refuses a change */
  checkChange?: (before: Row, change: Partial<New>) => void;
  /** Called after the commit of each change. */
  onChange?: () => void;
};

/** The fields that an administrator provides. Without a slug, one is derived from the name. */
export type NewRow<Table> = Omit<Insertable<Table>, 'slug'> & { slug?: string };

/** Stands for any of the tables: all have the columns used here, and the compiler checks one of them. */
type AnyTable = 'sections';
type Values = { slug?: string; order_index?: number } & Record<string, unknown>;
type Key = { id: number; parentId?: number | undefined };
type Wanted = {
  parentId?: number | undefined;
  courseId?: number | undefined;
  order?: Order<string> | undefined;
};

/** Rows that administrators create, change and delete, with a name, a slug and an order. Each action is logged as activity. */
export class AdministeredTable<Row extends object, New extends object> {
  readonly #options: AdministeredTableOptions<Row, New>;
  readonly #table: AnyTable;
  readonly #isOrdered: boolean;

  constructor(options: AdministeredTableOptions<Row, New>) {
    this.#options = options;
    this.#table = options.table as string as AnyTable;
    this.#isOrdered = options.firstOrder !== 'none';
  }

  /**
   * Inactive ones are included. Rows without the value that they are sorted by are the last ones.
   * @param wanted those of one parent or of one course, or another order than the usual one
   */
  async list(page: Page, { parentId, courseId, order }: Wanted = {}): Promise<{ rows: Row[]; total: number }> {
    const { db, parent, sortedBy } = this.#options;
    const query = this.#siblings(db, parentId).$if(courseId !== undefined, (some) =>
      some.where(isInCourse(this.#options, courseId ?? 0)),
    );
    const field = order && sortedBy?.[order.by];
    const way = order?.isDescending === true ? 'desc' : 'asc';
    const rows = await query
      .selectAll()
      .$if(field !== undefined, (some) => some.orderBy(sql.raw(`${field} ${way} nulls last`)))
      .$if(field === undefined && parent !== undefined, (some) => some.orderBy(parent?.column as 'course_id', way))
      .$if(field === undefined && this.#isOrdered, (some) => some.orderBy('order_index', way))
      .orderBy('id', way)
      .limit(page.limit)
      .offset(page.offset)
      .execute();
    const { total } = await query.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow();
    return { rows: rows as unknown as Row[], total };
  }

  async byId(id: number): Promise<Row | undefined> {
    const row = await this.#siblings(this.#options.db).selectAll().where('id', '=', id).executeTakeFirst();
    return row as unknown as Row | undefined;
  }

  /**
   * Without an order index the row is appended.
   * @param within the transaction of a greater change, which reports refusals of the database itself
   * @param and what else is done in the transaction
   * @throws NotFoundError without its parent, ConflictError when the given slug is taken or the limit is reached, InvalidError see `checkOpenings`
   */
  async create(
    actorId: number,
    fields: New,
    within?: Transaction<Tables>,
    and: (trx: Transaction<Tables>, row: { id: number }) => Promise<unknown> = async () => undefined,
  ): Promise<Row> {
    return await this.#write(within, async (trx) => {
      const given = (this.#options.toRow?.(fields) ?? fields) as Values;
      const parentId = await this.#lockParent(trx, given);
      const slug = given.slug ?? (await this.#slugFor(trx, String(given[this.#options.label]), parentId));
      const order_index = given.order_index ?? (this.#isOrdered ? await this.#nextOrder(trx, parentId) : undefined);
      const values = { ...given, slug, ...(order_index === undefined ? {} : { order_index }) };
      const row = await trx
        .insertInto(this.#table)
        .values({ ...values, ...this.#ofKind } as never)
        .returningAll()
        .executeTakeFirstOrThrow();
      await this.#log(trx, actorId, 'create', row, { new: values });
      const { table, kind, limits } = this.#options;
      if (kind !== undefined && parentId !== undefined)
        await checkTaskLimit(trx, { kind, assessmentId: parentId }, limits);
      else await checkLimit(trx, kind ?? (table as CatalogueEntry), limits);
      // Nothing waits for a new row yet, so that its place alone closes no circle.
      if ('opens_after' in given) await this.#checkOpenings(trx, row.id, given);
      await and(trx, row);
      return row as unknown as Row;
    });
  }

  /**
   * Omitted fields are unchanged. A row that moves to a parent where its slug is taken gets a new slug.
   * @param within as of create
   * @returns undefined without the row
   * @throws NotFoundError without its new parent, ConflictError when the given slug is taken, InvalidError see `checkOpenings`
   */
  async update(
    actorId: number,
    key: number | Key,
    fields: Partial<New>,
    within?: Transaction<Tables>,
  ): Promise<Row | undefined> {
    return await this.#write(within, async (trx) => {
      const before = await this.#locked(trx, key);
      if (!before) return undefined;
      const { parent, checkChange, toRow } = this.#options;
      const values = { ...(toRow?.(fields, before as unknown as Row) ?? fields) } as Values;
      checkChange?.(before as unknown as Row, fields);
      const isMoved =
        parent !== undefined &&
        values[parent.column] !== undefined &&
        values[parent.column] !== before[parent.column as 'course_id'];
      if (isMoved) {
        const parentId = await this.#lockParent(trx, values);
        values.slug ??= freeSlug(before.slug, await this.#slugs(trx, before.slug, parentId));
      }
      const details = differences(before, values);
      if (!details) return before as unknown as Row;
      const row = await trx
        .updateTable(this.#table)
        .set(values as never)
        .where('id', '=', before.id)
        .where(this.#isOfKind())
        .returningAll()
        .executeTakeFirstOrThrow();
      await this.#log(trx, actorId, 'update', row, details);
      await this.#checkOpenings(trx, row.id, details.new);
      return row as unknown as Row;
    });
  }

  /**
   * @param options.retires exams and laboratories that lose their course or section with it are hidden from students
   * @returns undefined without the row
   */
  async delete(
    actorId: number,
    key: number | Key,
    { retires = false }: { retires?: boolean | undefined } = {},
  ): Promise<'deleted' | undefined> {
    return await this.#write(undefined, async (trx) => {
      const row = await this.#locked(trx, key);
      if (!row) return undefined;
      const { entity, label } = this.#options;
      const kind = entity.replaceAll(' ', '_') as DeletedKind;
      await keepDeleted(trx, { kind, id: row.id, title: String((row as Values)[label]), actorId, retires });
      if (retires) await this.#retire(trx, row.id);
      await trx.deleteFrom(this.#table).where('id', '=', row.id).where(this.#isOfKind()).execute();
      await this.#log(trx, actorId, 'delete', row, { old: row });
      return 'deleted';
    });
  }

  /** Hides the exams and laboratories of a course, or the laboratory of a section. */
  async #retire(trx: Transaction<Tables>, id: number): Promise<void> {
    const isOf =
      this.#options.table === 'courses'
        ? sql<boolean>`course_id = ${id} or section_id in (select id from sections where course_id = ${id})`
        : sql<boolean>`${this.#options.table} = 'sections' and section_id = ${id}`;
    await trx.updateTable('assessments').set({ is_active: false }).where(isOf).where('is_active', '=', true).execute();
  }

  async #checkOpenings(trx: Transaction<Tables>, id: number, changed: Record<string, unknown>): Promise<void> {
    const { entity } = this.#options;
    if (isOpeningKind(entity)) await checkOpenings(trx, entity, id, changed);
  }

  get #ofKind(): Record<string, AttemptKind> {
    const { kind, table } = this.#options;
    return kind === undefined ? {} : { [kindColumn(table)]: kind };
  }

  #isOfKind(table: string = this.#options.table) {
    const { kind } = this.#options;
    return kind === undefined ? sql<boolean>`true` : sql<boolean>`${sql.ref(kindColumn(table))} = ${kind}`;
  }

  async #write<T>(within: Transaction<Tables> | undefined, work: (trx: Transaction<Tables>) => Promise<T>): Promise<T> {
    if (within) return await work(within);
    const { db, table, refusals, onChange } = this.#options;
    const taken = () => new ConflictError('slug_taken', 'The slug is taken');
    const { column } = this.#options.kind === undefined ? (this.#options.parent ?? {}) : {};
    const unique = column === undefined ? `${table}_slug_key` : `${table}_${column}_slug_key`;
    const result = await inTransaction(db, { [unique]: taken, ...refusals }, work);
    onChange?.();
    return result;
  }

  /** An assessment is locked before its task, as everywhere: in another order the two could wait for each other. */
  async #locked(trx: Transaction<Tables>, key: number | Key) {
    const { id, parentId } = typeof key === 'number' ? { id: key } : key;
    const { kind, parent } = this.#options;
    if (kind !== undefined && parent !== undefined && parentId !== undefined)
      await this.#parent(trx, parent.table, parentId);
    return await this.#siblings(trx, parentId).selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  }

  async #parent(trx: Transaction<Tables>, table: 'courses' | 'sections' | 'assessments', id: number) {
    const parents = trx
      .selectFrom(table as 'courses')
      .select('id')
      .where('id', '=', id);
    return await parents.where(this.#isOfKind(table)).forUpdate().executeTakeFirst();
  }

  /** Serialises writers of siblings. @returns the parent's id */
  async #lockParent(trx: Transaction<Tables>, values: Values): Promise<number | undefined> {
    const { parent } = this.#options;
    if (!parent) {
      await lock(trx, 'catalogue order');
      return undefined;
    }
    return found(await this.#parent(trx, parent.table, values[parent.column] as number), parent.entity).id;
  }

  async #slugFor(trx: Transaction<Tables>, name: string, parentId: number | undefined): Promise<string> {
    const { entity, fallbackSlug = entity.replaceAll(' ', '-') } = this.#options;
    const slug = slugOf(name, fallbackSlug);
    return freeSlug(slug, await this.#slugs(trx, slug, parentId));
  }

  async #slugs(trx: Transaction<Tables>, slug: string, parentId: number | undefined): Promise<Set<string>> {
    const rows = await this.#siblings(trx, parentId).select('slug').where('slug', 'like', `${slug}%`).execute();
    return new Set(rows.map((row) => row.slug));
  }

  async #nextOrder(trx: Transaction<Tables>, parentId: number | undefined): Promise<number> {
    const last = await this.#siblings(trx, parentId)
      .select(({ fn }) => fn.max('order_index').as('order_index'))
      .executeTakeFirst();
    const first = this.#options.firstOrder === 0 ? 0 : 1;
    return (last?.order_index ?? first - 1) + 1;
  }

  #siblings(db: Pick<Database, 'selectFrom'>, parentId?: number) {
    const query = db.selectFrom(this.#table).where(this.#isOfKind());
    const column = this.#options.parent?.column as 'course_id' | undefined;
    return parentId === undefined || column === undefined ? query : query.where(column, '=', parentId);
  }

  async #log(
    trx: Transaction<Tables>,
    actorId: number,
    verb: string,
    row: object & { id: number },
    details: Record<string, unknown>,
  ): Promise<void> {
    const { entity, label } = this.#options;
    const entityType = entity.replaceAll(' ', '_');
    const title = String((row as Values)[label]);
    await logActivity(trx, {
      actorId,
      type: `admin_${entityType}_${verb}`,
      title,
      entityType,
      entityId: row.id,
      details,
    });
  }
}

const maxLength = 80;

/**
 * Converts a name to a slug: lower-case Latin letters, digits and single hyphens; accents are dropped.
 * @param fallback for a name without such characters
 */
function slugOf(name: string, fallback: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  return words?.join('-').slice(0, maxLength).replace(/-$/, '') ?? fallback;
}

/** The slug itself, or the first free one with `-2`, `-3` and so on. */
export function freeSlug(slug: string, taken: ReadonlySet<string>): string {
  if (!taken.has(slug)) return slug;
  for (let number = 2; ; number += 1) if (!taken.has(`${slug}-${number}`)) return `${slug}-${number}`;
}
