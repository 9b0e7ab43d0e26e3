import { type Selectable, sql } from 'kysely';
import type { Database } from '../../database/connection/connect.ts';
import { keepDeleted } from '../../database/deletions/keep.ts';
import type { LessonNotesTable } from '../../database/tables.ts';
import { ConflictError } from '../../errors.ts';
import type { Page } from '../../http/lists/paging.ts';

export type NoteRow = Omit<Selectable<LessonNotesTable>, 'user_id' | 'words'>;
export type NewNote = Pick<NoteRow, 'theme_id' | 'heading' | 'excerpt' | 'text'>;

const columns = ['id', 'theme_id', 'heading', 'excerpt', 'text', 'created_at', 'updated_at'] as const;

/** Deleted notes of one user that can be restored for some minutes. */
const maxKept = 100;

/** Users' own notes and bookmarks. */
export class NoteStore {
  readonly #db: Database;
  readonly #max: number;

  /** @param max notes of one user */
  constructor(db: Database, max: number) {
    this.#db = db;
    this.#max = max;
  }

  /** Newest first, optionally of one theme. */
  async list(userId: number, { limit, offset }: Page, themeId?: number): Promise<{ rows: NoteRow[]; total: number }> {
    let query = this.#db.selectFrom('lesson_notes').where('user_id', '=', userId);
    if (themeId !== undefined) query = query.where('theme_id', '=', themeId);
    const rows = await query.select(columns).orderBy('id', 'desc').limit(limit).offset(offset).execute();
    const { total } = await query.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    return { rows, total: Number(total) };
  }

  /** A second note at a paragraph changes the first. @throws ConflictError for the maximum number of notes */
  async create(userId: number, note: NewNote): Promise<NoteRow> {
    return await this.#db.transaction().execute(async (trx) => {
      // Held for a change: of two requests for the last note, the second counts that of the first.
      await sql`select from users where id = ${userId} for no key update`.execute(trx);
      const row = await trx
        .insertInto('lesson_notes')
        .values({ ...note, user_id: userId })
        .onConflict((conflict) =>
          conflict
            .columns(['user_id', 'theme_id', 'heading', 'excerpt'])
            .doUpdateSet({ text: note.text, updated_at: sql<Date>`now()` }),
        )
        .returning(columns)
        .executeTakeFirstOrThrow();
      const { total } = await trx
        .selectFrom('lesson_notes')
        .where('user_id', '=', userId)
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      // Rolled back.
      if (Number(total) > this.#max) throw new ConflictError('too_many_notes', `You have ${this.#max} notes already`);
      return row;
    });
  }

  /** @returns undefined where the user has no such note */
  async update(userId: number, id: number, text: string): Promise<NoteRow | undefined> {
    return await this.#db
      .updateTable('lesson_notes')
      .set({ text, updated_at: sql<Date>`now()` })
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .returning(columns)
      .executeTakeFirst();
  }

  /** @returns whether the user had the note */
  async delete(userId: number, id: number): Promise<boolean> {
    return await this.#db.transaction().execute(async (trx) => {
      const notes = trx.selectFrom('lesson_notes').where('id', '=', id).where('user_id', '=', userId);
      const row = await notes.select('id').forUpdate().executeTakeFirst();
      if (!row) return false;
      // The text is in the kept row alone, which goes with its user.
      await keepDeleted(trx, { kind: 'note', id, title: '', actorId: userId });
      await trx.deleteFrom('lesson_notes').where('id', '=', id).execute();
      const kept = trx.selectFrom('deletions').select('id').where('kind', '=', 'note').where('deleted_by', '=', userId);
      await trx.deleteFrom('deletions').where('id', 'in', kept.orderBy('id', 'desc').offset(maxKept)).execute();
      return true;
    });
  }
}
