import type { Selectable } from 'kysely';
import { Batch, inOrder } from '../../database/connection/batch.ts';
import { violatedConstraint } from '../../database/connection/connect.ts';
import { PreparedStatement, type StatementPool } from '../../database/connection/prepared-statement.ts';
import type { ThemeProgressTable } from '../../database/tables.ts';

export type ThemeProgressRow = Selectable<ThemeProgressTable>;

type UserTheme = { userId: number; themeId: number };

/** For each user of the batch the completed themes. */
const readAll = new PreparedStatement<[userIds: number[]], { place: number; ids: string | null }>(
  'themes_completed',
  `select place::integer, (
    select string_agg(theme_id::text, ',' order by theme_id) from theme_progress
    where theme_progress.user_id = asked.user_id and completed
  ) as ids
  from unnest($1::integer[]) with ordinality as asked (user_id, place)`,
);

/** For each pair of the batch the time of completion. */
const readOne = new PreparedStatement<
  [userIds: number[], themeIds: number[]],
  { place: number; completed_at: Date | null }
>(
  'theme_completed',
  `select place::integer, (
    select completed_at from theme_progress
    where theme_progress.user_id = asked.user_id and theme_progress.theme_id = asked.theme_id and completed
  ) as completed_at
  from unnest($1::integer[], $2::integer[]) with ordinality as asked (user_id, theme_id, place)`,
);

/**
 * `newly` has a row only where the theme was not complete before. Concurrent requests wait for the row, and see the outcome of the one
 * before, so only one of them writes an entry. `renewed` is for all others. It has no row where the first completion was committed after
 * this statement began.
 */
const complete = new PreparedStatement<[userId: number, themeId: number, title: string], { completed_at: Date }>(
  'theme_complete',
  `with newly as (
    insert into theme_progress (user_id, theme_id, completed, completed_at) values ($1, $2, true, now())
    on conflict (user_id, theme_id) do update set completed = true, completed_at = excluded.completed_at
      where not theme_progress.completed
    returning completed_at
  ), renewed as (
    update theme_progress set completed_at = now()
    where user_id = $1 and theme_id = $2 and completed and not exists (select from newly)
    returning completed_at
  ), entry as (
    insert into activity_log (actor_id, user_id, type, title, entity_type, entity_id)
    select $1, $1, 'lesson_complete', $3, 'theme', $2 from newly
  )
  select completed_at from newly union all select completed_at from renewed`,
);

const markIncomplete = new PreparedStatement<[userId: number, themeId: number], never>(
  'theme_take_back',
  'update theme_progress set completed = false, completed_at = null where user_id = $1 and theme_id = $2 and completed',
);

/**
 * Which themes a user has completed. Each method is one prepared statement that reads or writes only rows of the user, by their key.
 * Concurrent reads share a statement.
 */
export class ProgressStore {
  readonly #pool: StatementPool;
  readonly #allOf: Batch<number, string>;
  readonly #oneOf: Batch<UserTheme, Date | null>;

  constructor(pool: StatementPool) {
    this.#pool = pool;
    this.#allOf = new Batch(async (userIds) => {
      const rows = await readAll.run(pool, [...userIds]);
      return inOrder(rows).map(({ ids }) => ids ?? '');
    });
    this.#oneOf = new Batch(async (keys) => {
      const [userIds, themeIds] = [keys.map(({ userId }) => userId), keys.map(({ themeId }) => themeId)];
      const rows = await readOne.run(pool, userIds, themeIds);
      return inOrder(rows).map(({ completed_at }) => completed_at);
    });
  }

  /** The ids of all completed themes in ascending order, separated by commas. */
  async completedIds(userId: number): Promise<string> {
    return await this.#allOf.get(userId);
  }

  /** Null for a theme that is not complete. */
  async completedAt(userId: number, themeId: number): Promise<Date | null> {
    return await this.#oneOf.get({ userId, themeId });
  }

  /**
   * Marks a theme complete as of now. The first completion is logged in the activity log.
   * @returns undefined where the theme has been deleted
   */
  async complete(userId: number, theme: { id: number; title: string }): Promise<ThemeProgressRow | undefined> {
    try {
      for (;;) {
        const [row] = await complete.run(this.#pool, userId, theme.id, theme.title);
        if (row) return { user_id: userId, theme_id: theme.id, completed: true, completed_at: row.completed_at };
      }
    } catch (error) {
      if (violatedConstraint(error) === 'theme_progress_theme_id_fkey') return undefined;
      throw error;
    }
  }

  async markIncomplete(userId: number, themeId: number): Promise<ThemeProgressRow> {
    await markIncomplete.run(this.#pool, userId, themeId);
    return { user_id: userId, theme_id: themeId, completed: false, completed_at: null };
  }
}
