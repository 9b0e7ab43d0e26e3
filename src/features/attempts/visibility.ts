import type { Caller } from '../../http/access/access.ts';
import { isGraded } from '../../values/attempt-status.ts';
import { type Audience, forStaff, seesChecks } from './schema.ts';
import type { AttemptRow, AttemptStore } from './store.ts';

export type { Audience, Solutions } from './schema.ts';

/** Decides what the answers about attempts show. */
export class Visibility {
  readonly #store: Pick<AttemptStore, 'withheld'>;

  constructor(store: Pick<AttemptStore, 'withheld'>) {
    this.#store = store;
  }

  /**
   * Students see no results of an exam before the attempt has ended. An earlier verdict would help them, because a grading can fail
   * part-way and the attempt continues. A laboratory is for practice, so its results are shown at any time. The session of an exam can
   * withhold them for longer.
   */
  async audienceOf(
    caller: Pick<Caller, 'role' | 'tokenScopes'> | undefined,
    attempts: readonly AttemptRow[],
  ): Promise<(attempt: AttemptRow) => Audience> {
    if (seesChecks(caller)) return () => forStaff;
    const rows = await this.#store.withheld(attempts.filter(isOfSession).map(({ id }) => id));
    const bySessions = new Map(rows.map(({ id, withheld }) => [id, withheld]));
    return (attempt) => {
      if (attempt.kind === 'exam' && !isGraded(attempt)) return { isStaff: false, withheld: 'results' };
      if (!isOfSession(attempt)) return { isStaff: false, withheld: null };
      // An attempt that was deleted meanwhile shows nothing.
      const withheld = bySessions.get(attempt.id);
      return { isStaff: false, withheld: withheld === undefined ? 'results' : withheld };
    };
  }
}

const isOfSession = ({ session_id, withheld }: AttemptRow): boolean => session_id !== null || withheld !== null;
