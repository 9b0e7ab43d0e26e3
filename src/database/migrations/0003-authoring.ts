import { type Kysely, sql } from 'kysely';
import { freeSlug, slugOf } from '../catalogue/slugs.ts';

/**
 * Columns for authoring: an order for exams, and slugs for exams, laboratories and their tasks, by which files identify them.
 * Containers for an author's trials have no owner and an expiry.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
  await giveSlugs(db, { table: 'exams', fallback: 'exam' });
  await giveSlugs(db, { table: 'laboratories', fallback: 'laboratory' });
  await giveSlugs(db, { table: 'exam_tasks', parent: 'exam_id', fallback: 'task' });
  await giveSlugs(db, { table: 'laboratory_tasks', parent: 'laboratory_id', fallback: 'task' });
}

const statements = [
  'alter table exams add column order_index integer not null default 0',
  'update exams set order_index = place from (select id, row_number() over (order by id) as place from exams) as numbered where numbered.id = exams.id',
  `alter table containers
    drop constraint containers_kind_check,
    add constraint containers_kind_check check (kind in ('sandbox', 'exam', 'laboratory', 'trial')),
    drop constraint containers_check,
    add constraint containers_check check (user_id is not null or kind = 'trial' or status in ('warming', 'warm', 'removing')),
    add constraint containers_trial_check check (kind <> 'trial' or expires_at is not null)`,
];

type Place = { table: string; parent?: string; fallback: string };
type Row = { id: number; title: string; slug: string | null; parent: number };

async function giveSlugs(db: Kysely<unknown>, { table, parent, fallback }: Place): Promise<void> {
  const parentColumn = parent === undefined ? sql`0` : sql.ref(parent);
  const { rows } = await sql<Row>`
    select id, title, slug, ${parentColumn} as parent from ${sql.table(table)} order by id`.execute(db);
  for (const siblings of Map.groupBy(rows, (row) => row.parent).values()) {
    const taken = new Set(siblings.flatMap(({ slug }) => (slug === null ? [] : [slug])));
    for (const { id, title } of siblings.filter(({ slug }) => slug === null)) {
      const slug = freeSlug(slugOf(title, fallback), taken);
      taken.add(slug);
      await sql`update ${sql.table(table)} set slug = ${slug} where id = ${id}`.execute(db);
    }
  }
}
