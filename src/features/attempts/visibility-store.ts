import { sql } from 'kysely';
import type { Database } from '../../database/connection/connect.ts';
import { withheld } from '../../database/exam-session-rules.ts';
import type { Caller } from '../../http/access.ts';
import { type Audience, forStaff, isStaff } from './schema.ts';
import type { AttemptRow } from './store.ts';

/** Decides what the answers about attempts show. */
export class VisibilityStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * Students see no results of an exam before the attempt has ended. An earlier verdict would help them, because a grading can fail
   * part-way and the attempt goes on. A laboratory is for practice, so its results are shown at any time. The session of an exam can
   * withhold them for longer.
   */
  async audienceOf(
    caller: Pick<Caller, 'role'> | undefined,
    attempts: readonly AttemptRow[],
  ): Promise<(attempt: AttemptRow) => Audience> {
    if (isStaff(caller)) return () => forStaff;
    const ids = attempts.filter(isOfSession).map(({ id }) => id);
    const rows = ids.length === 0 ? [] : await this.#withheld(ids);
    const ofSessions = new Map(rows.map((row) => [row.id, row.withheld]));
    return (attempt) => {
      const hasEnded = attempt.status === 'finished' || attempt.status === 'expired';
      if (attempt.kind === 'exam' && !hasEnded) return { isStaff: false, withheld: 'results' };
      // An attempt that was deleted meanwhile shows nothing.
      const known = isOfSession(attempt) ? (ofSessions.has(attempt.id) ? ofSessions.get(attempt.id) : 'results') : null;
      return { isStaff: false, withheld: known ?? null };
    };
  }

  async #withheld(ids: readonly number[]): Promise<{ id: number; withheld: 'results' | 'output' | null }[]> {
    const query = this.#db.selectFrom('attempts').select('id').where('id', 'in', ids);
    return await query.select(sql<'results' | 'output' | null>`${sql.raw(withheld)}`.as('withheld')).execute();
  }
}

const isOfSession = ({ session_id, withheld: own }: AttemptRow): boolean => session_id !== null || own !== null;
