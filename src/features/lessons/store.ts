import { type Selectable, sql } from 'kysely';
import type { Database } from '../../database/connection/connect.ts';
import type { CoursesTable, LessonRepository, SectionsTable, ThemesTable } from '../../database/tables.ts';
import { openingColumns } from '../../entities/opening.ts';

/** The repository of a course is for administrators only. */
export type CourseRow = Omit<Selectable<CoursesTable>, 'repository_id'>;
export type SectionRow = Selectable<SectionsTable>;
export type ThemeRow = Selectable<ThemesTable>;
/** The three levels of the catalogue. */
export type LessonRows = {
  courses: CourseRow[];
  sections: SectionRow[];
  themes: ThemeRow[];
  /** The repositories of courses whose lessons are not in that of the service, by the ids of the courses. */
  repositories: ReadonlyMap<number, LessonRepository>;
  /** The ids of all stored repositories. */
  repositoryIds: ReadonlySet<number>;
};

/** The catalogue of lessons. */
export class LessonStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** All rows, inactive ones included, each level in its order, on one snapshot. The columns are those of the API. */
  async catalogue(): Promise<LessonRows> {
    return await this.#db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (trx) => {
        const order = sql`order_index, id`;
        const courses = await trx
          .selectFrom('courses')
          .select([
            'id',
            'name',
            'slug',
            'description',
            'icon',
            'order_index',
            'is_active',
            'is_class_only',
            'has_certificate',
            'template_id',
          ])
          .orderBy(order)
          .execute();
        const sections = await trx
          .selectFrom('sections')
          .select(['id', 'course_id', 'name', 'slug', 'order_index', 'is_active', 'template_id'])
          .select(openingColumns)
          .orderBy(order)
          .execute();
        const themes = await trx
          .selectFrom('themes')
          .select([
            'id',
            'section_id',
            'title',
            'slug',
            'markdown_file_path',
            'duration_minutes',
            'order_index',
            'template_id',
            'is_written',
          ])
          .orderBy(order)
          .execute();
        const repositories = await trx
          .selectFrom('lesson_repositories')
          .select(['id', 'url', 'branch', 'username', 'sealed_key'])
          .execute();
        const repositoryById = new Map(repositories.map((repository) => [repository.id, repository]));
        const places = await trx
          .selectFrom('courses')
          .select(['id', 'repository_id'])
          .where('repository_id', 'is not', null)
          .execute();
        const repositoryOf = places.flatMap(({ id, repository_id }) => {
          const repository = repositoryById.get(repository_id ?? 0);
          return repository ? [[id, repository] as const] : [];
        });
        return {
          courses,
          sections,
          themes,
          repositories: new Map(repositoryOf),
          repositoryIds: new Set(repositoryById.keys()),
        };
      });
  }
}
