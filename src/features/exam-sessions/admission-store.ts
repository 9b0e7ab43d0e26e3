import { sql, type Transaction } from 'kysely';
import { statusSql } from '../../database/attempt-status.ts';
import { isAssessment } from '../../database/catalogue/assessments.ts';
import { bindingsOf, countsIn, isBoundFor, pauseOf, termsOf } from '../../database/exam-session-rules.ts';
import type { KeyedHash } from '../../database/keyed-hash.ts';
import type { Tables } from '../../database/tables.ts';
import { ConflictError, ForbiddenError, type ServiceError } from '../../errors.ts';
import { noSession } from './access-store.ts';

/** Where and with what a start is requested. */
export type Entry = {
  sessionId?: number | undefined;
  accessCode?: string | undefined;
  address: string;
  /** The id of the login that starts. */
  login?: string | undefined;
};

/** A session of which the user is a member, with the user's own times and attempts. */
type Candidate = {
  id: number;
  opens_at: Date;
  is_early: boolean;
  is_late: boolean;
  is_paused: boolean;
  is_in_network: boolean;
  has_attempts_left: boolean;
  access_code_hash: string | null;
  is_locked_down: boolean;
};

/** The session in which an attempt starts. */
export type Admitted = { session_id: number; is_locked_down: boolean };

/** The hash under which an access code is stored. Spaces around it do not matter. */
export const accessCodeHash = (hash: KeyedHash, code: string): string =>
  hash(`access code ${code.trim().normalize('NFC')}`);

/** Decides in which session of an exam an attempt starts. */
export class AdmissionStore {
  readonly #hash: KeyedHash;

  /** @param hash with the service's secret key */
  constructor(hash: KeyedHash) {
    this.#hash = hash;
  }

  /**
   * Decides in the transaction that inserts the attempt. Starts of one user wait for each other, so that two of them do not both take the
   * last attempt. A change of the session happens before or after the start.
   * @returns the session: of several, the one that closes first. Null for an exam that starts for the user outside of sessions
   * @throws NotFoundError for a session of others, and for an exam that starts in sessions of others only; ForbiddenError, ConflictError while the user has an active attempt or the session is paused
   */
  async admit(trx: Transaction<Tables>, examId: number, userId: number, entry: Entry): Promise<Admitted | null> {
    if (!(await isBound(trx, examId, userId))) {
      if (entry.sessionId !== undefined) throw noSession();
      return null;
    }
    await trx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
    const active = trx.selectFrom('attempts').select('id').where('user_id', '=', userId).where('kind', '=', 'exam');
    // It may end before the insertion, which then would not fail.
    if (await active.where(statusSql.isUnfinished()).executeTakeFirst())
      throw new ConflictError('attempt_active', 'An attempt is active already');
    const candidates = await candidatesOf(trx, examId, userId, entry);
    const refusals: ServiceError[] = [];
    for (const candidate of candidates) {
      const refusal = this.#refusal(candidate, entry);
      if (!refusal) {
        const { id: session_id, is_locked_down } = candidate;
        if (is_locked_down) await lockLogin(trx, userId, entry.login);
        return { session_id, is_locked_down };
      }
      refusals.push(refusal);
    }
    const [first] = refusals.sort((one, other) => rank(one) - rank(other));
    throw first ?? noSession();
  }

  /** The code is checked last, so that it can only be tried where everything else is right. */
  #refusal(candidate: Candidate, { accessCode = '' }: Entry): ServiceError | undefined {
    const { opens_at, access_code_hash } = candidate;
    if (candidate.is_early)
      return new ForbiddenError('not_open_yet', 'The exam session is not open yet', { retryAt: opens_at });
    if (candidate.is_late) return new ForbiddenError('closed', 'The exam session is closed');
    if (candidate.is_paused) return new ConflictError('session_paused', 'The exam session is paused');
    if (!candidate.is_in_network)
      return new ForbiddenError('wrong_network', 'The exam session cannot be started from this network');
    if (!candidate.has_attempts_left) return new ForbiddenError('no_attempts_left', 'No attempts are left');
    if (access_code_hash !== null && access_code_hash !== accessCodeHash(this.#hash, accessCode))
      return new ForbiddenError('wrong_access_code', 'The access code is not right');
    return undefined;
  }
}

/** From now on the user has the login that starts the attempt, and no other. The end of the attempt unlocks it. */
async function lockLogin(trx: Transaction<Tables>, userId: number, login = ''): Promise<void> {
  await trx.updateTable('users').set({ locked_login: login }).where('id', '=', userId).execute();
}

/** Of several refusals, the one that is closest to a start. */
const order = ['wrong_access_code', 'session_paused', 'wrong_network', 'no_attempts_left', 'not_open_yet', 'closed'];
const rank = ({ code }: ServiceError): number => order.indexOf(code);

async function isBound(trx: Transaction<Tables>, examId: number, userId: number): Promise<boolean> {
  const exams = trx.selectFrom('assessments as exams').select('id').where(isAssessment('exam', examId));
  return (await exams.where(isBoundFor(userId)).executeTakeFirst()) !== undefined;
}

/** Those of which the user is a member, by their close. Of several that are not open yet, the next one comes first. */
async function candidatesOf(
  trx: Transaction<Tables>,
  examId: number,
  userId: number,
  { sessionId, address }: Entry,
): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    select s.id, coalesce(own.opens_at, s.opens_at) as opens_at, s.access_code_hash, s.is_locked_down,
      coalesce(own.opens_at, s.opens_at) > clock_timestamp() as is_early,
      coalesce(own.closes_at, s.closes_at) + ${sql.raw(pauseOf('s'))} <= clock_timestamp() as is_late,
      s.paused_at is not null as is_paused,
      s.networks = '{}' or ${address}::inet <<= any(s.networks) as is_in_network,
      coalesce((select count(*) from attempts where session_id = s.id and user_id = ${userId}
        and ${countsIn('attempts')}) < own.max_attempts, true) as has_attempts_left
    from exam_sessions as s
    join ${bindingsOf(userId)} as member on member.session_id = s.id
    cross join ${termsOf('s', sql`member.user_id`)} as own
    where s.exam_id = ${examId} and (${sessionId ?? null}::int is null or s.id = ${sessionId ?? null}::int)
    order by coalesce(own.closes_at, s.closes_at), s.id for share of s`.execute(trx);
  return rows;
}
