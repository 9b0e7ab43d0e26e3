import { sql } from 'kysely';
import type { Static } from 'typebox';
import type { Database } from '../../database/connection/connect.ts';
import { shownName } from '../../database/lists/shown-name.ts';
import type { Page } from '../../http/lists/paging.ts';
import { courseFolder } from '../../values/course-folder.ts';
import type { RevisionSchema } from './schema.ts';
import type { StoredContent, WrittenFile } from './store.ts';

export type WrittenFilter = { q?: string | undefined; is_deleted: boolean; courseId?: number | undefined };
/** Null as author: an import, or a user who was deleted. */
export type WrittenRevision = Static<typeof RevisionSchema>;
/** A change in the history of all files. */
export type HistoryEntry = {
  id: number;
  path: string;
  /** Of the revision before, if it was not deleted. */
  previous_path: string | null;
  digest: string | null;
  bytes: number;
  message: string;
  author: string | null;
  created_at: Date;
};

/** Null where the author's account was deleted. */
const authorName = shownName().$castTo<string | null>();
const historyBatch = 500;

/** Whether a path is in the folder of a course; undefined: anywhere. */
const isIn = (courseId: number | undefined, column = 'path') =>
  courseId === undefined
    ? sql<boolean>`true`
    : sql<boolean>`starts_with(${sql.ref(column)}, ${courseFolder(courseId)})`;

/** Reads the files of lessons that are written in the pages, and their revisions. */
export class WrittenListStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** The files without the deleted ones, by their paths, and the id of the newest revision. On one snapshot. */
  async listing(): Promise<{ latest: number | null; files: Map<string, StoredContent> }> {
    const { rows } = await sql<{ latest: number | null; path: string | null; digest: string; bytes: number }>`
      select latest.id as latest, path, digest, bytes from (select max(id) as id from written_revisions) as latest
        left join written_files on digest is not null order by path`.execute(this.#db);
    const files = rows.flatMap(({ path, digest, bytes }) =>
      path === null ? [] : [[path, { digest, bytes }] as const],
    );
    return { latest: rows[0]?.latest ?? null, files: new Map(files) };
  }

  /** By path. @param filter.q a part of the path, or of the title of a lesson that has the file */
  async list({ q, is_deleted, courseId }: WrittenFilter, { limit, offset }: Page) {
    const query = this.#db
      .selectFrom('written_files')
      .where('digest', is_deleted ? 'is' : 'is not', null)
      .where(isIn(courseId))
      .$if(q !== undefined, (some) =>
        some.where(sql<boolean>`(strpos(lower(path), lower(${q})) > 0 or exists (
          select from themes where is_written and markdown_file_path = path and strpos(lower(title), lower(${q})) > 0))`),
      );
    const rows = await query.selectAll().orderBy('path').orderBy('id').limit(limit).offset(offset).execute();
    const { total } = await query.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow();
    return { rows: rows as WrittenFile[], total };
  }

  /** Newest first. */
  async revisions(fileId: number, { limit, offset }: Page): Promise<{ rows: WrittenRevision[]; total: number }> {
    const rows = await this.#revisions(fileId).orderBy('revision', 'desc').limit(limit).offset(offset).execute();
    const query = this.#db.selectFrom('written_revisions').where('file_id', '=', fileId);
    const { total } = await query.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow();
    return { rows: rows.map(({ digest: _digest, ...row }) => row), total };
  }

  async revision(fileId: number, revision: number): Promise<(WrittenRevision & { digest: string | null }) | undefined> {
    return await this.#revisions(fileId).where('revision', '=', revision).executeTakeFirst();
  }

  /** Whether anything was ever written, or for a course. */
  async hasHistory(courseId?: number): Promise<boolean> {
    const rows = this.#db.selectFrom('written_revisions').select('id').where(isIn(courseId)).limit(1);
    return (await rows.executeTakeFirst()) !== undefined;
  }

  /** All changes in their order, or those of a course, up to the newest one at the beginning. */
  async *history(courseId?: number): AsyncGenerator<HistoryEntry> {
    const { last } = await this.#db
      .selectFrom('written_revisions')
      .select(({ fn }) => fn.max('id').as('last'))
      .executeTakeFirstOrThrow();
    for (let after = 0; after < (last ?? 0); ) {
      const rows = await this.#db
        .selectFrom('written_revisions as own')
        .leftJoin('written_revisions as before', (join) =>
          join
            .onRef('before.file_id', '=', 'own.file_id')
            .on(sql<boolean>`before.revision = own.revision - 1`)
            .on('before.digest', 'is not', null),
        )
        .leftJoin('users', 'users.id', 'own.author_id')
        .select(['own.id', 'own.path', 'own.digest', 'own.bytes', 'own.message', 'own.created_at'])
        .select(['before.path as previous_path', authorName.as('author')])
        .where('own.id', '>', after)
        .where('own.id', '<=', last)
        .where(isIn(courseId, 'own.path'))
        .orderBy('own.id')
        .limit(historyBatch)
        .execute();
      yield* rows;
      after = rows.at(-1)?.id ?? last ?? 0;
    }
  }

  #revisions(fileId: number) {
    return this.#db
      .selectFrom('written_revisions')
      .leftJoin('users', 'users.id', 'author_id')
      .select(['revision', 'path', 'bytes', 'digest', 'message', 'author_id', 'written_revisions.created_at'])
      .select([sql<boolean>`digest is null`.as('is_deleted'), authorName.as('author')])
      .where('file_id', '=', fileId);
  }
}
