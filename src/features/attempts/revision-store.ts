import { LRUCache } from 'lru-cache';
import { statusSql } from '../../database/attempt-status.ts';
import { type RevisionRow, recordState } from '../../database/catalogue/revisions.ts';
import type { Database } from '../../database/connection/connect.ts';
import { revised } from '../../entities/task.ts';
import { variedTasks } from '../../entities/task-kinds/kinds.ts';
import type { AttemptRow } from './store.ts';

/** What attempts are shown and graded by. It never changes. */
export type Revision = Readonly<Omit<RevisionRow, 'setup_key' | 'is_varied'>>;
type Varied = Pick<AttemptRow, 'revision_id' | 'variant'>;
type Pinned = Varied & Pick<AttemptRow, 'id' | 'kind' | 'assessment_id'>;

/** Characters of texts and scripts that are kept in memory. */
const maxKept = 16 * 1024 * 1024;

/** The states of exams and laboratories that attempts refer to. */
export class RevisionStore {
  readonly #db: Database;
  readonly #kept = new LRUCache<number, Revision>({
    maxSize: maxKept,
    sizeCalculation: (state) => 1 + JSON.stringify(state.content).length,
  });

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * What an attempt has of its revision: with what it has drawn.
   * @returns undefined for an attempt that ended before revisions were recorded
   */
  async of({ revision_id, variant }: Varied): Promise<Revision | undefined> {
    const revision = revision_id === null ? undefined : await this.#whole(revision_id);
    if (!revision || variant === null) return revision;
    const { content } = revision;
    return { ...revision, content: { ...content, tasks: variedTasks(content.tasks, variant) } };
  }

  async #whole(revision_id: number): Promise<Revision | undefined> {
    const kept = this.#kept.get(revision_id);
    if (kept) return kept;
    const state = await this.#db
      .selectFrom('assessment_revisions')
      .select(['id', 'kind', 'assessment_id', 'revision', 'container_image', 'time_limit_minutes'])
      .select(['passing_score', 'max_score', 'is_sequential', 'needs_machine', 'content', 'created_at'])
      .where('id', '=', revision_id)
      .executeTakeFirst();
    if (!state) return undefined;
    const revision = {
      ...state,
      content: { ...{ draw: null }, ...state.content, tasks: state.content.tasks.map(revised) },
    };
    this.#kept.set(revision_id, revision);
    return revision;
  }

  /**
   * The state of an attempt that has not ended. One that began in an older release gets the present one.
   * @returns undefined if it has none, and its exam or laboratory was deleted
   */
  async pinned(attempt: Pinned): Promise<Revision | undefined> {
    const { id, kind, assessment_id } = attempt;
    if (attempt.revision_id !== null || assessment_id === null) return await this.of(attempt);
    const { id: revision_id } = await recordState(this.#db, kind, assessment_id);
    await this.#db
      .updateTable('attempts')
      .set({ revision_id })
      .where('id', '=', id)
      .where('revision_id', 'is', null)
      .execute();
    const pinned = await this.#db
      .selectFrom('attempts')
      .select(['revision_id', 'variant'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return await this.of(pinned);
  }

  /** Gives the attempts in progress that began in an older release the present state. @returns how many */
  async pinAll(): Promise<number> {
    const attempts = await this.#db
      .selectFrom('attempts')
      .select(['id', 'kind', 'assessment_id', 'revision_id', 'variant'])
      .where(statusSql.isRunning())
      .where('revision_id', 'is', null)
      .where('assessment_id', 'is not', null)
      .execute();
    for (const attempt of attempts) await this.pinned(attempt);
    return attempts.length;
  }
}
