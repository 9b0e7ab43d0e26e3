import { sql } from 'kysely';
import type { Static } from 'typebox';
import { statusSql } from '../../database/attempt-status.ts';
import type { Database } from '../../database/connection/connect.ts';
import { isShownTo } from '../../database/exam-session-rules.ts';
import { seesAttempt } from '../../database/lists/student-scope.ts';
import { found } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import { supervisedSession } from '../exam-sessions/access-store.ts';
import type { ComparedSignals, SignalsSchema } from './schema.ts';

/** What a terminal adds. */
export type Seen = {
  firstKeyAt: Date | null;
  pastes: number;
  longestPaste: number;
  commands: number;
  signature: number[];
};
export type AttemptSignals = Static<typeof SignalsSchema>;
export type SignalsOfStudent = Omit<ComparedSignals, 'alike'> & { signature: number[] };

/** Attempts of a session that are compared: each with each. */
const maxCompared = 1000;
/** A student with a phone and a laptop has two. */
const maxNetworks = 10;

const columns = sql`attempts.id as attempt_id,
  extract(epoch from signals.first_key_at - attempts.started_at)::float8 as first_key_seconds,
  coalesce(pastes, 0) as pastes, coalesce(longest_paste, 0) as longest_paste, coalesce(cardinality(signals.networks), 0) as networks,
  coalesce(commands, 0) as commands`;

/** What attempts of sessions with signals leave beside their results. Nothing is written of others. */
export class SignalStore {
  readonly #db: Database;
  readonly #hash: (text: string) => string;

  /** @param hash keyed: a network cannot be found out from it */
  constructor(db: Database, hash: (text: string) => string) {
    this.#db = db;
    this.#hash = hash;
  }

  /** Whether the session of an attempt has signals. */
  async isObserved(attemptId: number): Promise<boolean> {
    const { rows } = await sql`select from attempts join exam_sessions as s on s.id = session_id
      where attempts.id = ${attemptId} and s.has_signals`.execute(this.#db);
    return rows.length > 0;
  }

  /** Adds what a terminal has seen. */
  async add(attemptId: number, { firstKeyAt, pastes, longestPaste, commands, signature }: Seen): Promise<void> {
    await sql`insert into attempt_signals as own (attempt_id, first_key_at, pastes, longest_paste, commands, signature)
      select attempts.id, ${firstKeyAt}::timestamptz, ${pastes}::int, ${longestPaste}::int, ${commands}::int, ${signature}::int[]
      from attempts join exam_sessions as s on s.id = session_id where attempts.id = ${attemptId} and s.has_signals
      on conflict (attempt_id) do update set first_key_at = least(own.first_key_at, excluded.first_key_at),
        pastes = own.pastes + excluded.pastes, longest_paste = greatest(own.longest_paste, excluded.longest_paste),
        commands = own.commands + excluded.commands,
        signature = array(select least(one, other) from unnest(own.signature, excluded.signature) with ordinality as pair (one, other, place)
          order by place)`.execute(this.#db);
  }

  /** A terminal was opened from there. */
  async seenFrom(attemptId: number, network: string): Promise<void> {
    const hashed = this.#hash(`signals ${attemptId} ${network}`);
    await sql`insert into attempt_signals as own (attempt_id, networks)
      select attempts.id, array[${hashed}::text] from attempts join exam_sessions as s on s.id = session_id
      where attempts.id = ${attemptId} and s.has_signals
      on conflict (attempt_id) do update set networks = own.networks || excluded.networks
        where not own.networks @> excluded.networks and cardinality(own.networks) < ${maxNetworks}`.execute(this.#db);
  }

  /**
   * Of the attempts of a session that have ended, the newest first.
   * @throws NotFoundError, ForbiddenError for who does not supervise it
   */
  async ofSession(caller: Caller, sessionId: number): Promise<SignalsOfStudent[]> {
    await supervisedSession(this.#db, caller, sessionId);
    const { rows } =
      await sql<SignalsOfStudent>`select ${columns}, attempts.user_id, users.username, users.full_name, signature
      from attempt_signals as signals join attempts on attempts.id = signals.attempt_id join users on users.id = attempts.user_id
      where attempts.session_id = ${sessionId} and ${statusSql.isOver('attempts')} and attempts.user_id > 0
      order by attempts.id desc limit ${maxCompared}`.execute(this.#db);
    return rows;
  }

  /** Of one attempt, for staff who see it, and for its student once the results are shown. @throws NotFoundError */
  async ofAttempt(caller: Caller, attemptId: number, isStaff: boolean): Promise<AttemptSignals> {
    const { rows } = await sql<AttemptSignals>`select ${columns}, coalesce(s.has_signals, false) as has_signals
      from attempts left join exam_sessions as s on s.id = session_id
      left join attempt_signals as signals on signals.attempt_id = attempts.id
      where attempts.id = ${attemptId} and ${statusSql.isListed('attempts')}
        and ${isStaff ? seesAttempt(caller) : sql`attempts.user_id = ${caller.id} and ${statusSql.isGraded('attempts')} and ${isShownTo({ role: 'student' })}`}`.execute(
      this.#db,
    );
    return found(rows[0], 'Attempt');
  }

  /** Deletes those of attempts that ended so long ago. @returns how many */
  async deleteOlderThan(days: number): Promise<number> {
    const { numAffectedRows } = await sql`delete from attempt_signals using attempts
      where attempts.id = attempt_id and ${statusSql.isOver('attempts')}
        and coalesce(submitted_at, expires_at, attempts.created_at) < now() - make_interval(days => ${days})`.execute(
      this.#db,
    );
    return Number(numAffectedRows ?? 0);
  }
}
