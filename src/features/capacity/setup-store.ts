import { sql, type Transaction } from 'kysely';
import { readState } from '../../database/catalogue/revisions.ts';
import { contentOf, type SetupFile } from '../../database/catalogue/setup-files.ts';
import type { Database } from '../../database/connection/connect.ts';
import type { RevisedFile, RevisionContent, Tables } from '../../database/tables.ts';
import { variedTasks } from '../../entities/task-kinds/kinds.ts';
import { UnavailableError } from '../../errors.ts';
import { setupScripts } from '../../values/parameters.ts';
import type { Variant } from '../../values/variant.ts';
import type { ContainerRow } from './store.ts';

/** What prepares a new container. One that was prepared with it has its key. */
export type StoredSetup = {
  key: string;
  /** Put in place in this order, before the scripts run. */
  files: readonly Omit<SetupFile, 'id'>[];
  /** Bash, in the order in which it runs. */
  scripts: readonly string[];
};

type Prepared = { setup_key: string | null; content: RevisionContent; variant?: Variant | null };

/** The set-ups of exams and laboratories. */
export class SetupStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * The set-up of a container that is being created: for an attempt that of its state.
   * @returns undefined for a container without one
   * @throws UnavailableError if the set-up of a warm container was changed since it was planned
   */
  async of({ attempt_id, status, setup_key }: ContainerRow): Promise<StoredSetup | undefined> {
    if (attempt_id === null && (status !== 'warming' || setup_key === null)) return undefined;
    return await this.#db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (trx) => {
        const prepared = await (attempt_id === null ? this.#ofWarm(trx, setup_key) : this.#ofAttempt(trx, attempt_id));
        if (!prepared)
          throw new UnavailableError('cancelled', 'The set-up was changed while a container was being created');
        const { setup_key: key, content, variant = null } = prepared;
        if (key === null) return undefined;
        const isDrawn = ({ task_id }: RevisedFile) =>
          task_id === null || (variant?.task_ids?.includes(task_id) ?? true);
        return {
          key,
          files: content.files.filter(isDrawn).map((file) => ({ ...file, read: () => contentOf(this.#db, file) })),
          scripts: setupScripts(content.setup_script, variedTasks(content.tasks, variant)),
        };
      });
  }

  async #ofAttempt(trx: Transaction<Tables>, attemptId: number): Promise<Prepared | undefined> {
    const row = await trx
      .selectFrom('attempts')
      .leftJoin('assessment_revisions as revision', 'revision.id', 'revision_id')
      .select(['attempts.kind', 'attempts.assessment_id', 'attempts.variant', 'revision.setup_key', 'revision.content'])
      .where('attempts.id', '=', attemptId)
      .executeTakeFirst();
    if (!row) return undefined;
    const { kind, assessment_id, setup_key, content, variant } = row;
    if (content !== null) return { setup_key, content, variant };
    // It began in an older release.
    return assessment_id === null ? undefined : await readState(trx, this.#db, kind, assessment_id);
  }

  /** Exams with the same key have the same set-up. */
  async #ofWarm(trx: Transaction<Tables>, key: string | null): Promise<Prepared | undefined> {
    const exam = await trx
      .selectFrom('assessments')
      .select('id')
      .where('kind', '=', 'exam')
      .where('is_active', '=', true)
      .where(sql<boolean>`setup_key_of(kind, id) = ${key}`)
      .limit(1)
      .executeTakeFirst();
    return exam && (await readState(trx, this.#db, 'exam', exam.id));
  }
}
