import { sql, type Transaction } from 'kysely';
import { differences, logActivity } from '../../database/activity-log.ts';
import { type CatalogueLimits, checkLimits } from '../../database/catalogue/catalogue-limits.ts';
import { checkRepositoryRoom, repositoryIdAt, repositoryNameOf } from '../../database/catalogue/lesson-repositories.ts';
import type { Database } from '../../database/connection/connect.ts';
import type { Tables } from '../../database/tables.ts';
import type { HeldCourse, HeldSection, OutlineCourse, PlannedCourse, Stored, StoredCourse } from './schema.ts';

export { repositoryNameOf };

/** Undefined: that of the service. Without an id it is not stored. */
type Repository = { id: number | undefined; url: string; branch: string | null } | undefined;
type Table = 'courses' | 'sections' | 'themes';
/** Stands for any of the tables: the compiler checks one. */
type AnyTable = 'sections';

/** Courses that were imported from repositories. */
export class CourseImportStore {
  readonly #db: Database;
  readonly #limits: CatalogueLimits & { maxRepositories: number };

  constructor(db: Database, limits: CatalogueLimits & { maxRepositories: number }) {
    [this.#db, this.#limits] = [db, limits];
  }

  /** The courses whose lessons are in a repository, and the slugs of all courses. */
  async read(repository: Repository): Promise<Stored> {
    return await this.#db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute((trx) => read(trx, repository && (repository.id ?? 'new')));
  }

  /**
   * Writes the planned courses completely or not at all. Rows keep their ids.
   * @param plan decides on the rows that it gets, which nobody changes in the meantime
   * @throws ConflictError where the catalogue is full
   */
  async write(
    callerId: number,
    { repository, deletesGone }: { repository: Repository; deletesGone: boolean },
    plan: (stored: Stored) => PlannedCourse[],
  ): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      await sql`lock table courses, course_repositories, lesson_repositories, sections, themes in share row exclusive mode`.execute(
        trx,
      );
      const repositoryId = repository && (repository.id ?? (await repositoryIdAt(trx, repository)));
      for (const planned of plan(await read(trx, repositoryId))) {
        const writer = new CourseWriter(trx, { planned, deletesGone, repositoryId: repositoryId ?? null });
        const id = await writer.write();
        const { outline } = planned;
        await trx
          .insertInto('course_repositories')
          .values({ course_id: id, outline: JSON.stringify(outline) })
          .onConflict((conflict) =>
            conflict.column('course_id').doUpdateSet({ outline: JSON.stringify(outline), imported_at: new Date() }),
          )
          .execute();
        const act = { actorId: callerId, type: 'admin_course_import', title: planned.course.name };
        await logActivity(trx, { ...act, entityType: 'course', entityId: id, details: writer.counts });
      }
      await checkLimits(trx, this.#limits);
      await checkRepositoryRoom(trx, this.#limits.maxRepositories);
    });
  }
}

/** @param repository its id, or undefined for that of the service. A `new` one has no courses */
async function read(trx: Transaction<Tables>, repository: number | 'new' | undefined): Promise<Stored> {
  const all = await trx.selectFrom('courses').select('slug').execute();
  const rows = await trx
    .selectFrom('courses')
    .leftJoin('course_repositories', 'course_repositories.course_id', 'courses.id')
    .select(['id', 'slug', 'name', 'description', 'is_active', 'outline'])
    .where('courses.repository_id', 'is not distinct from', repository === 'new' ? 0 : (repository ?? null))
    .orderBy('courses.order_index')
    .orderBy('id')
    .execute();
  const ids = rows.map(({ id }) => id);
  const order = sql`order_index, id`;
  const sections =
    ids.length === 0
      ? []
      : await trx.selectFrom('sections').selectAll().where('course_id', 'in', ids).orderBy(order).execute();
  const sectionIds = sections.map(({ id }) => id);
  const themes =
    sectionIds.length === 0
      ? []
      : await trx.selectFrom('themes').selectAll().where('section_id', 'in', sectionIds).orderBy(order).execute();
  const themesOf = Map.groupBy(themes, ({ section_id }) => section_id);
  const sectionsOf = Map.groupBy(sections, ({ course_id }) => course_id);
  const courses = rows.map(({ outline, ...course }): StoredCourse => {
    const held: HeldCourse = {
      ...course,
      sections: (sectionsOf.get(course.id) ?? []).map(({ id, slug, name }) => ({
        ...{ id, slug, name },
        themes: (themesOf.get(id) ?? []).map((theme) => ({
          ...{ id: theme.id, slug: theme.slug, title: theme.title },
          ...{ file: theme.markdown_file_path, duration_minutes: theme.duration_minutes },
        })),
      })),
    };
    return { course: held, base: (outline as OutlineCourse | null) ?? undefined };
  });
  return { courses, slugs: new Set(all.map(({ slug }) => slug)) };
}

/** Writes one course. Rows that do not change are not written. */
class CourseWriter {
  readonly counts = { created: 0, updated: 0, deleted: 0 };
  readonly #trx: Transaction<Tables>;
  readonly #planned: PlannedCourse;
  readonly #deletesGone: boolean;
  readonly #repositoryId: number | null;

  constructor(
    trx: Transaction<Tables>,
    parts: { planned: PlannedCourse; deletesGone: boolean; repositoryId: number | null },
  ) {
    [this.#trx, this.#planned] = [trx, parts.planned];
    [this.#deletesGone, this.#repositoryId] = [parts.deletesGone, parts.repositoryId];
  }

  async write(): Promise<number> {
    const { course } = this.#planned;
    const { id: known, slug, name, description } = course;
    const fields = { slug, name, description };
    const id = known === undefined ? await this.#createCourse(fields) : await this.#put('courses', known, fields);
    // Lessons move before their sections are deleted.
    for (const [index, section] of course.sections.entries()) await this.#writeSection(id, section, index + 1);
    if (this.#deletesGone) {
      await this.#delete('themes', this.#planned.goneThemes);
      await this.#delete('sections', this.#planned.goneSections);
    }
    return id;
  }

  /** A new course comes last, and is a draft. */
  async #createCourse(fields: { slug: string; name: string; description: string }): Promise<number> {
    const { last } = await this.#trx
      .selectFrom('courses')
      .select(({ fn }) => fn.max('order_index').as('last'))
      .executeTakeFirstOrThrow();
    return await this.#put('courses', undefined, {
      ...{ ...fields, is_active: false, order_index: (last ?? 0) + 1 },
      repository_id: this.#repositoryId,
    });
  }

  async #writeSection(course_id: number, section: HeldSection, order_index: number): Promise<void> {
    const { id: known, slug, name, themes } = section;
    const id = await this.#put('sections', known, { course_id, slug, name, order_index });
    for (const [index, theme] of themes.entries()) {
      const { title, file, duration_minutes } = theme;
      const place = { section_id: id, slug: theme.slug, order_index: index + 1 };
      await this.#put('themes', theme.id, { ...place, title, markdown_file_path: file, duration_minutes });
    }
  }

  async #put(table: Table, id: number | undefined, values: object): Promise<number> {
    if (id === undefined) {
      this.counts.created += 1;
      const inserted = this.#trx.insertInto(table as AnyTable).values(values as never);
      return (await inserted.returning('id').executeTakeFirstOrThrow()).id;
    }
    const row = await this.#trx
      .selectFrom(table as AnyTable)
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const changed = differences(row, { ...values, ...ownFileOf(row) })?.new;
    if (changed === undefined) return id;
    this.counts.updated += 1;
    await this.#trx
      .updateTable(table as AnyTable)
      .set(changed as never)
      .where('id', '=', id)
      .execute();
    return id;
  }

  async #delete(table: 'sections' | 'themes', ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    this.counts.deleted += ids.length;
    await this.#trx
      .deleteFrom(table as AnyTable)
      .where('id', 'in', ids)
      .execute();
  }
}

/** A lesson that is written in the pages stays with its file. */
const ownFileOf = (row: object): object =>
  'is_written' in row && row.is_written === true && 'markdown_file_path' in row
    ? { markdown_file_path: row.markdown_file_path }
    : {};
