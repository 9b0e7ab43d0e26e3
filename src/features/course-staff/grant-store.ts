import { sql, type Transaction } from 'kysely';
import type { Static } from 'typebox';
import { differences, logActivity } from '../../database/activity-log.ts';
import type { Database } from '../../database/connection/connect.ts';
import type { AttemptKind, Tables } from '../../database/tables.ts';
import { found } from '../../errors.ts';
import type { GrantsSchema } from './schema.ts';

type Grants = {
  images: string[];
  registries: string[];
  has_internet: boolean;
  has_root: boolean;
  has_repository: boolean;
};
export type ShownGrants = Static<typeof GrantsSchema>;

const nothing: Grants = { images: [], registries: [], has_internet: false, has_root: false, has_repository: false };

/** What courses may use: what every course may, and what administrators grant to one. */
export class GrantStore {
  readonly #db: Database;
  readonly #shipped: readonly string[];

  /** @param shipped the images that the project ships */
  constructor(db: Database, shipped: readonly string[]) {
    [this.#db, this.#shipped] = [db, shipped];
  }

  async of(courseId: number): Promise<ShownGrants> {
    return await this.#shown(this.#db, courseId);
  }

  /** Omitted fields are unchanged. What the course uses already stays. @throws NotFoundError */
  async change(actorId: number, courseId: number, change: Partial<Grants>): Promise<ShownGrants> {
    return await this.#db.transaction().execute(async (trx) => {
      const courses = trx.selectFrom('courses').select('name').where('id', '=', courseId).forNoKeyUpdate();
      const { name } = found(await courses.executeTakeFirst(), 'Course');
      const before = await granted(trx, courseId);
      const details = differences(before, change);
      if (details) {
        const row = { course_id: courseId, ...before, ...change };
        await trx
          .insertInto('course_grants')
          .values(row)
          .onConflict((conflict) => conflict.column('course_id').doUpdateSet(change))
          .execute();
        const entity = { title: name, entityType: 'course', entityId: courseId };
        await logActivity(trx, { actorId, type: 'admin_course_grant', ...entity, details });
      }
      return await this.#shown(trx, courseId);
    });
  }

  /** An exam or a laboratory of the course as it is. */
  async assessment(kind: AttemptKind, id: number) {
    const rows = this.#db.selectFrom('assessments').select(['container_image', 'user']).where('kind', '=', kind);
    return await rows.where('id', '=', id).executeTakeFirst();
  }

  /** What names a template now: the course itself, a section or a theme. */
  async templateOf(table: 'courses' | 'sections' | 'themes', id: number): Promise<number | null | undefined> {
    const rows = this.#db.selectFrom(table).select('template_id').where('id', '=', id);
    return (await rows.executeTakeFirst())?.template_id;
  }

  async theme(id: number) {
    const rows = this.#db.selectFrom('themes').select(['markdown_file_path', 'is_written']).where('id', '=', id);
    return await rows.executeTakeFirst();
  }

  /** The repository that a course reads its lessons from. */
  async repositoryOf(courseId: number): Promise<number | null | undefined> {
    const courses = this.#db.selectFrom('courses').select('repository_id').where('id', '=', courseId);
    return (await courses.executeTakeFirst())?.repository_id;
  }

  /** Images of one course are nobody else's, whatever names them. */
  async #shown(db: Database | Transaction<Tables>, courseId: number): Promise<ShownGrants> {
    const grants = await granted(db, courseId);
    const { rows: images } = await sql<{ image: string }>`
      select image from (
        select image from sandbox_templates where is_active
        union select unnest(${this.#shipped}::text[])
        union select container_image from assessments as a left join sections on sections.id = a.section_id
          where a.is_active and not exists (
            select from course_staff as staff where staff.course_id = coalesce(a.course_id, sections.course_id))) as common
      where not exists (select from container_images
        where course_id is not null and state <> 'removed' and reference in (image, image || ':latest'))
      order by image`.execute(db);
    const own = db.selectFrom('container_images').select('reference').where('course_id', '=', courseId);
    const templates = db.selectFrom('sandbox_templates').select(['id', 'name', 'image', 'has_internet']);
    return {
      ...grants,
      common_images: images.map(({ image }) => image),
      own_images: (await own.where('state', '<>', 'removed').orderBy('reference').execute()).map(
        (one) => one.reference,
      ),
      templates: await templates
        .where('is_active', '=', true)
        .$if(!grants.has_internet, (some) => some.where('has_internet', '=', false))
        .orderBy('order_index')
        .orderBy('id')
        .execute(),
    };
  }
}

async function granted(db: Database, courseId: number): Promise<Grants> {
  const rows = db
    .selectFrom('course_grants')
    .select(['images', 'registries', 'has_internet', 'has_root', 'has_repository']);
  return (await rows.where('course_id', '=', courseId).executeTakeFirst()) ?? nothing;
}
