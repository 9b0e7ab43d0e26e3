import { sql } from 'kysely';
import type { Database } from '../../database/connection/connect.ts';

/** A text of a theme, and what it was read from. */
export type LessonText = { theme_id: number; source: string; body: string };

/** The texts that the search knows. */
export class LessonTextStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** What the texts of all themes were read from. */
  async sources(): Promise<Map<number, string>> {
    const rows = await this.#db.selectFrom('lesson_texts').select(['theme_id', 'source']).execute();
    return new Map(rows.map(({ theme_id, source }) => [theme_id, source]));
  }

  /** Themes that were deleted meanwhile are left out. */
  async write(texts: readonly LessonText[]): Promise<void> {
    await sql`update lesson_texts set source = fresh.source, body = fresh.body
      from unnest(${texts.map(({ theme_id }) => theme_id)}::int[], ${texts.map(({ source }) => source)}::text[],
        ${texts.map(({ body }) => body)}::text[]) as fresh (theme_id, source, body)
      where lesson_texts.theme_id = fresh.theme_id`.execute(this.#db);
  }
}
