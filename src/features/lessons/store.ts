import { type Selectable, sql } from 'kysely';
import { logActivity } from '../../database/activity-log.ts';
import { type Database, violatedConstraint } from '../../database/connection/connect.ts';
import type { CoursesTable, SectionsTable, ThemeProgressTable, ThemesTable } from '../../database/tables.ts';

export type CourseRow = Selectable<CoursesTable>;
export type SectionRow = Selectable<SectionsTable>;
export type ThemeRow = Selectable<ThemesTable>;
export type ThemeProgressRow = Selectable<ThemeProgressTable>;
export type ThemeInPlace = ThemeRow & {
  is_completed: boolean;
  completed_at: Date | null;
  previous_theme_id: number | null;
  next_theme_id: number | null;
};

/** Whose progress is read, and whether inactive courses and sections are visible. */
export type Reader = { userId: number; seesInactive: boolean };

export class LessonStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** The three levels of the catalogue, each in its order, in three queries regardless of size. */
  async catalogue({ userId, seesInactive }: Reader) {
    const [courses, sections, themes] = await Promise.all([
      this.#db
        .selectFrom('courses')
        .selectAll()
        .$if(!seesInactive, (query) => query.where('is_active', '=', true))
        .orderBy('order_index')
        .orderBy('id')
        .execute(),
      this.#db
        .selectFrom('sections')
        .selectAll()
        .$if(!seesInactive, (query) => query.where('is_active', '=', true))
        .orderBy('order_index')
        .orderBy('id')
        .execute(),
      this.#db
        .selectFrom('themes')
        .leftJoin('theme_progress', (join) =>
          join.onRef('theme_progress.theme_id', '=', 'themes.id').on('theme_progress.user_id', '=', userId),
        )
        .selectAll('themes')
        .select((eb) => eb.fn.coalesce('theme_progress.completed', sql.lit(false)).as('is_completed'))
        .orderBy('themes.order_index')
        .orderBy('themes.id')
        .execute(),
    ]);
    return { courses, sections, themes };
  }

  /**
   * A theme with its neighbours in the course, across its sections.
   * @returns undefined where it does not exist or this reader may not see it
   */
  async theme({ userId, seesInactive }: Reader, id: number): Promise<ThemeInPlace | undefined> {
    const course = this.#db
      .selectFrom('themes')
      .innerJoin('sections', 'sections.id', 'themes.section_id')
      .select('sections.course_id')
      .where('themes.id', '=', id);
    const place = (name: 'lag' | 'lead') =>
      sql<
        number | null
      >`${sql.raw(name)}(themes.id) over (order by sections.order_index, sections.id, themes.order_index, themes.id)`;
    return await this.#db
      .with('places', (db) =>
        db
          .selectFrom('themes')
          .innerJoin('sections', 'sections.id', 'themes.section_id')
          .innerJoin('courses', 'courses.id', 'sections.course_id')
          .select(['themes.id', place('lag').as('previous_theme_id'), place('lead').as('next_theme_id')])
          .where('sections.course_id', '=', course)
          .$if(!seesInactive, (query) =>
            query.where('courses.is_active', '=', true).where('sections.is_active', '=', true),
          ),
      )
      .selectFrom('places')
      .innerJoin('themes', 'themes.id', 'places.id')
      .leftJoin('theme_progress', (join) =>
        join.onRef('theme_progress.theme_id', '=', 'themes.id').on('theme_progress.user_id', '=', userId),
      )
      .selectAll('themes')
      .select(['theme_progress.completed_at', 'places.previous_theme_id', 'places.next_theme_id'])
      .select((eb) => eb.fn.coalesce('theme_progress.completed', sql.lit(false)).as('is_completed'))
      .where('themes.id', '=', id)
      .executeTakeFirst();
  }

  /**
   * Marks a theme complete as of now. The first completion is logged in the activity log. Concurrent requests wait for the row, so only
   * one of them logs.
   * @returns undefined where the theme has been deleted
   */
  async complete(userId: number, theme: { id: number; title: string }): Promise<ThemeProgressRow | undefined> {
    const key = { user_id: userId, theme_id: theme.id };
    try {
      return await this.#db.transaction().execute(async (trx) => {
        await trx
          .insertInto('theme_progress')
          .values({ ...key, completed: false })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        const rows = trx.selectFrom('theme_progress').select('completed');
        const before = await rows
          .where('user_id', '=', userId)
          .where('theme_id', '=', theme.id)
          .forUpdate()
          .executeTakeFirstOrThrow();
        const progress = await trx
          .updateTable('theme_progress')
          .set({ completed: true, completed_at: sql<Date>`now()` })
          .where('user_id', '=', userId)
          .where('theme_id', '=', theme.id)
          .returningAll()
          .executeTakeFirstOrThrow();
        if (!before.completed) {
          await logActivity(trx, {
            ...{ actorId: userId, userId, type: 'lesson_complete', title: theme.title },
            ...{ entityType: 'theme', entityId: theme.id },
          });
        }
        return progress;
      });
    } catch (error) {
      if (violatedConstraint(error) === 'theme_progress_theme_id_fkey') return undefined;
      throw error;
    }
  }

  async takeBack(userId: number, themeId: number): Promise<ThemeProgressRow> {
    const progress = await this.#db
      .updateTable('theme_progress')
      .set({ completed: false, completed_at: null })
      .where('user_id', '=', userId)
      .where('theme_id', '=', themeId)
      .returningAll()
      .executeTakeFirst();
    return progress ?? { user_id: userId, theme_id: themeId, completed: false, completed_at: null };
  }
}
