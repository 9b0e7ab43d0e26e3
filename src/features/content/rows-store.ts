import { type RawBuilder, sql, type Transaction } from 'kysely';
import { differences } from '../../database/activity-log.ts';
import { kindColumn } from '../../database/catalogue/assessments.ts';
import type { AttemptKind, Tables } from '../../database/tables.ts';
import type { ContentChange, ContentKind } from './schema.ts';

type TableName = 'courses' | 'sections' | 'themes' | 'assessments' | 'assessment_tasks' | 'sandbox_templates';
type Row = Placed & { slug: string | null };
export type Values = { slug: string; order_index?: number | undefined };
type Siblings = {
  table: TableName;
  kind: ContentKind;
  /** Which rows of a table that has both kinds of assessments. */
  of?: AttemptKind;
  /** The parent row. The files list all of its children. Without a parent, rows missing from the files are left alone. */
  parent?: { column: 'course_id' | 'section_id' | 'assessment_id'; id: number; name: string };
  /** `position`: by the order of the files. `own`: an exam has its own `order_index`. `none`: these have no order. */
  order: 'position' | 'own' | 'none';
  wanted: readonly Values[];
};

/** Stands for any of the tables: the columns read here exist in all of them, and the compiler checks one. */
type AnyTable = 'sections';

/** Updates the rows of the content's tables. Unchanged rows are not written. */
export class ContentRows {
  readonly changes: ContentChange[] = [];
  readonly #trx: Transaction<Tables>;
  readonly #prune: boolean;

  /** @param prune removes rows of a parent that the files do not list */
  constructor(trx: Transaction<Tables>, prune: boolean) {
    this.#trx = trx;
    this.#prune = prune;
  }

  /** @returns the ids of the wanted rows, in their order */
  async sync({ table, kind, of, parent, order, wanted }: Siblings): Promise<number[]> {
    const isOf = of === undefined ? sql<boolean>`true` : sql<boolean>`${sql.ref(kindColumn(table))} = ${of}`;
    const rows = await this.#siblings(table, isOf, parent, order);
    const bySlug = new Map(rows.map((row) => [row.slug, row]));
    const found = wanted.map(({ slug }) => bySlug.get(slug));
    const last = Math.max(0, ...rows.map(({ order_index }) => order_index));
    const places = order === 'position' ? placesFor(found, last) : ownPlaces(wanted, found, last);
    const nameOf = (slug: string | null) => (parent === undefined ? `${slug}` : `${parent.name}/${slug}`);
    const ids: number[] = [];
    for (const [index, fields] of wanted.entries()) {
      const values = {
        ...fields,
        ...(of === undefined ? {} : { [kindColumn(table)]: of }),
        ...(parent === undefined ? {} : { [parent.column]: parent.id }),
        ...(order === 'none' ? {} : { order_index: places[index] }),
      };
      ids.push(await this.#put({ table, isOf }, { kind, name: nameOf(fields.slug) }, values, found[index]));
    }
    if (parent === undefined) return ids;
    for (const row of rows.filter(({ id }) => !ids.includes(id))) {
      if (this.#prune)
        await this.#trx
          .deleteFrom(table as AnyTable)
          .where('id', '=', row.id)
          .where(isOf)
          .execute();
      this.changes.push({ action: this.#prune ? 'removed' : 'left', kind, name: nameOf(row.slug), fields: [] });
    }
    return ids;
  }

  /** Counts what is stored elsewhere as a changed field. */
  countField(item: { kind: ContentKind; name: string }, field: string): void {
    const change = this.changes.findLast(({ kind, name }) => kind === item.kind && name === item.name);
    if (!change || change.action === 'created') return;
    change.action = 'updated';
    change.fields.push(field);
  }

  async #siblings(
    table: TableName,
    isOf: RawBuilder<boolean>,
    parent: Siblings['parent'],
    order: Siblings['order'],
  ): Promise<Row[]> {
    let query = this.#trx
      .selectFrom(table as AnyTable)
      .selectAll()
      .where(isOf);
    if (parent !== undefined) query = query.where(parent.column as 'course_id', '=', parent.id);
    if (order !== 'none') query = query.orderBy('order_index');
    return (await query.orderBy('id').execute()).map((row) => ({ ...row, order_index: row.order_index ?? 0 }));
  }

  async #put(
    { table, isOf }: { table: TableName; isOf: RawBuilder<boolean> },
    { kind, name }: { kind: ContentKind; name: string },
    values: object,
    found: Row | undefined,
  ): Promise<number> {
    if (found === undefined) {
      const inserted = this.#trx.insertInto(table as AnyTable).values(values as never);
      const { id } = await inserted.returning('id').executeTakeFirstOrThrow();
      this.changes.push({ action: 'created', kind, name, fields: [] });
      return id;
    }
    const changed = differences(found, values)?.new;
    if (changed) {
      const updated = this.#trx.updateTable(table as AnyTable).set(changed as never);
      await updated.where('id', '=', found.id).where(isOf).execute();
    }
    const action = changed ? 'updated' : 'unchanged';
    this.changes.push({ action, kind, name, fields: Object.keys(changed ?? {}) });
    return found.id;
  }
}

/** An exam without an `order_index` keeps its current one. A new exam comes last. */
function ownPlaces(wanted: readonly Values[], found: readonly (Row | undefined)[], last: number): number[] {
  let free = last;
  return wanted.map(({ order_index }, index) => {
    const place = order_index ?? found[index]?.order_index;
    if (place !== undefined) return place;
    free += 1;
    return free;
  });
}

type Placed = { id: number; order_index: number };

/**
 * The `order_index` values of siblings in this order. The current values are kept where they are already in order. Otherwise the values
 * are numbers from 1.
 * @param found the rows of those that exist; undefined is a new one
 * @param last the highest of all siblings, including those that are not among these
 */
function placesFor(found: readonly (Placed | undefined)[], last: number): number[] {
  const places: number[] = [];
  let before: Placed = { id: 0, order_index: Number.NEGATIVE_INFINITY };
  let free = last;
  for (const row of found) {
    if (row === undefined) {
      free += 1;
      places.push(free);
      before = { id: Number.POSITIVE_INFINITY, order_index: free };
    } else {
      const isAfter =
        row.order_index > before.order_index || (row.order_index === before.order_index && row.id > before.id);
      if (!isAfter) return found.map((_, index) => index + 1);
      places.push(row.order_index);
      before = row;
    }
  }
  return places;
}
