import { found, NotFoundError } from '../../errors.ts';
import type { Page } from '../../http/lists/paging.ts';
import type { NewNote, NoteRow, NoteStore } from './store.ts';

type Caller = { id: number; role: string };
export type Note = NoteRow & { theme_title: string | null };

export type NoteParts = {
  store: NoteStore;
  lessons: {
    /** The titles of those of the themes that the caller sees. */
    titlesOf: (caller: Caller, themeIds: readonly number[]) => Promise<ReadonlyMap<number, string>>;
  };
};

/** Notes and bookmarks at paragraphs of lessons. Nobody sees those of another user, whatever the role. */
export class NoteService {
  readonly #parts: NoteParts;

  constructor(parts: NoteParts) {
    this.#parts = parts;
  }

  /** The caller's, newest first, optionally of one theme. */
  async list(caller: Caller, page: Page, themeId?: number): Promise<{ rows: Note[]; total: number }> {
    const { rows, total } = await this.#parts.store.list(caller.id, page, themeId);
    const titles = await this.#titlesOf(caller, rows);
    return { rows: rows.map((row) => ({ ...row, theme_title: titles.get(row.theme_id) ?? null })), total };
  }

  /** @throws NotFoundError for a theme that the caller does not see; ConflictError */
  async create(caller: Caller, note: NewNote): Promise<Note> {
    const theme_title = found((await this.#titlesOf(caller, [note])).get(note.theme_id), 'Theme');
    return { ...(await this.#parts.store.create(caller.id, note)), theme_title };
  }

  /** @throws NotFoundError */
  async update(caller: Caller, id: number, text: string): Promise<Note> {
    const row = found(await this.#parts.store.update(caller.id, id, text), 'Note');
    return { ...row, theme_title: (await this.#titlesOf(caller, [row])).get(row.theme_id) ?? null };
  }

  /** @throws NotFoundError */
  async delete(caller: Caller, id: number): Promise<void> {
    if (!(await this.#parts.store.delete(caller.id, id))) throw new NotFoundError('not_found', 'Note not found');
  }

  async #titlesOf(caller: Caller, notes: readonly Pick<NoteRow, 'theme_id'>[]): Promise<ReadonlyMap<number, string>> {
    return await this.#parts.lessons.titlesOf(
      caller,
      notes.map(({ theme_id }) => theme_id),
    );
  }
}
