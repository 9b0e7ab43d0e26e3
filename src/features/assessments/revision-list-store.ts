import { sql } from 'kysely';
import type { Static } from 'typebox';
import { statusSql } from '../../database/attempt-status.ts';
import { recordState } from '../../database/catalogue/revisions.ts';
import type { Database } from '../../database/connection/connect.ts';
import type { AttemptKind } from '../../database/tables.ts';
import { found } from '../../errors.ts';
import type { Page } from '../../http/lists/paging.ts';
import type { Revision, RevisionStore } from '../attempts/revision-store.ts';
import type { ListedRevisionSchema } from './schema.ts';

export type ListedRevision = Static<typeof ListedRevisionSchema>;

/** The revisions of one kind of assessment: those that attempts have or had lately, and the current one. */
export class RevisionListStore {
  readonly #db: Database;
  readonly #kind: AttemptKind;
  readonly #revisions: Pick<RevisionStore, 'of'>;

  constructor(kind: AttemptKind, db: Database, revisions: Pick<RevisionStore, 'of'>) {
    this.#kind = kind;
    this.#db = db;
    this.#revisions = revisions;
  }

  /** The newest first. @param isRunning only those that attempts run on @throws NotFoundError */
  async list(id: number, page: Page, isRunning = false): Promise<{ rows: ListedRevision[]; total: number }> {
    await recordState(this.#db, this.#kind, id);
    const { rows } = await sql<ListedRevision & { total: number }>`
      select listed.*, count(*) over ()::int as total from (
        select revision, created_at as recorded_at, container_image,
          revision = (select revision from assessments where kind = ${this.#kind} and id = ${id}) as is_current,
          (select count(*)::int from attempts
            where revision_id = recorded.id and user_id > 0 and ${statusSql.holdsContainer('attempts')}) as attempts
        from assessment_revisions as recorded where kind = ${this.#kind} and assessment_id = ${id}
      ) as listed where ${isRunning ? sql`attempts > 0` : sql`true`}
      order by revision desc limit ${page.limit} offset ${page.offset}`.execute(this.#db);
    return { rows: rows.map(({ total: _total, ...row }) => row), total: rows[0]?.total ?? 0 };
  }

  /** With its texts, tasks and checks. @throws NotFoundError */
  async one(id: number, revision: number): Promise<Revision> {
    await recordState(this.#db, this.#kind, id);
    const row = await this.#db
      .selectFrom('assessment_revisions')
      .select('id as revision_id')
      .where('kind', '=', this.#kind)
      .where('assessment_id', '=', id)
      .where('revision', '=', revision)
      .executeTakeFirst();
    return found(row && (await this.#revisions.of({ ...row, variant: null })), 'Revision');
  }
}
