import { sql, type Transaction } from 'kysely';
import { type SetupFile, setupFilesOf } from '../../database/catalogue/setup-files.ts';
import type { Database } from '../../database/connection/connect.ts';
import type { Tables } from '../../database/tables.ts';
import { Unavailable } from '../../errors.ts';
import type { ContainerRow } from './store.ts';

/** What prepares a new container. One that was prepared with it has its key. */
export type StoredSetup = {
  key: string;
  /** Put in place in this order, before the scripts run. */
  files: readonly SetupFile[];
  /** Bash, in the order in which it runs. */
  scripts: readonly string[];
};

type Place = { exam_id: number | null; laboratory_id: number | null; key: string | null };

/** The set-ups of exams and laboratories. */
export class SetupStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * The set-up of a container that is being created.
   * @returns undefined for a container without one
   * @throws Unavailable if the set-up of a warm container was changed since it was planned
   */
  async of({ attempt_id, status, setup_key }: ContainerRow): Promise<StoredSetup | undefined> {
    if (attempt_id === null && (status !== 'warming' || setup_key === null)) return undefined;
    return await this.#db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (trx) => {
        const place = attempt_id === null ? await warmPlace(trx, setup_key) : await attemptPlace(trx, attempt_id);
        if (!place) throw new Unavailable('cancelled', 'The set-up was changed while a container was being created');
        if (place.key === null) return undefined;
        const [kind, id] =
          place.exam_id === null ? ['laboratory' as const, place.laboratory_id] : ['exam' as const, place.exam_id];
        const files = await setupFilesOf(trx, kind, id ?? 0, this.#db);
        return { key: place.key, files, scripts: await scriptsOf(trx, place) };
      });
  }
}

async function attemptPlace(trx: Transaction<Tables>, attemptId: number): Promise<Place | undefined> {
  return await trx
    .selectFrom('attempts')
    .select(['exam_id', 'laboratory_id', sql<string | null>`setup_key_of(exam_id, laboratory_id)`.as('key')])
    .where('id', '=', attemptId)
    .executeTakeFirst();
}

/** Exams with the same key have the same set-up. */
async function warmPlace(trx: Transaction<Tables>, key: string | null): Promise<Place | undefined> {
  const exam = await trx
    .selectFrom('exams')
    .select('id')
    .where('is_active', '=', true)
    .where(sql<boolean>`setup_key_of(id, null) = ${key}`)
    .limit(1)
    .executeTakeFirst();
  return exam && { exam_id: exam.id, laboratory_id: null, key };
}

async function scriptsOf(trx: Transaction<Tables>, { exam_id, laboratory_id }: Place): Promise<string[]> {
  const { rows } = await sql<{ setup_script: string }>`
    select setup_script from (
      select 0 as place, 0 as order_index, id, setup_script from exams where id = ${exam_id}
      union all select 0, 0, id, setup_script from laboratories where id = ${laboratory_id}
      union all select 1, order_index, id, setup_script from exam_tasks where exam_id = ${exam_id}
      union all select 1, order_index, id, setup_script from laboratory_tasks where laboratory_id = ${laboratory_id}
    ) as scripts where setup_script is not null order by place, order_index, id`.execute(trx);
  return rows.map((row) => row.setup_script);
}
