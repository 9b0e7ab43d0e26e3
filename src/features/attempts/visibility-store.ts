import { sql } from 'kysely';
import type { Database } from '../../database/connection/connect.ts';
import { withheld } from '../../database/exam-session-rules.ts';

export type Withheld = { id: number; withheld: 'results' | 'output' | null };

/** What exam sessions withhold from students. */
export class VisibilityStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Of these attempts, those that still exist. */
  async withheld(ids: readonly number[]): Promise<Withheld[]> {
    if (ids.length === 0) return [];
    const query = this.#db.selectFrom('attempts').select('id').where('id', 'in', ids);
    return await query.select(sql<Withheld['withheld']>`${sql.raw(withheld)}`.as('withheld')).execute();
  }
}
