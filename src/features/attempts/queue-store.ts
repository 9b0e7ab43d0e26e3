import { sql, type Transaction } from 'kysely';
import { isWaiting, presenceSeconds } from '../../database/attempt-status.ts';
import { currentState, recordState, type StartState } from '../../database/catalogue/subject-states.ts';
import type { Database } from '../../database/connection/connect.ts';
import { isSessionClosed } from '../../database/exam-session-rules.ts';
import type { AttemptKind, Tables } from '../../database/tables.ts';
import { Unavailable } from '../../errors.ts';
import type { Entry, StartStore, Subject } from './start-store.ts';
import { type AttemptRow, logAttempt } from './store.ts';

type Claim = { image: string; kind: AttemptKind; name: string; userId: number; attemptId: number };
type Place<Placed> = (claim: Claim, options: { isNewAllowed: boolean }) => Promise<Placed | undefined>;
/** Runs a transaction that decides who gets a container; see `ReservationStore.decide`. */
export type Decide<Placed> = <Result>(
  work: (trx: Transaction<Tables>, place: Place<Placed>) => Promise<Result>,
) => Promise<Result>;

/** A queued attempt whose container is reserved. */
export type NextStart<Placed> = { attempt: AttemptRow; timeLimitMinutes: number | null; placed: Placed };

/** The notification that a place may be free, or that somebody waits for one. */
export const queueChannel = 'start_queue';

const notify = sql`select pg_notify(${queueChannel}, '')`;

/**
 * The queue of starts. The order is that of the ids: they are assigned under the lock under which containers are reserved. An attempt that
 * is being started has the number of its process.
 */
export class QueueStore<Placed> {
  readonly #db: Database;
  readonly #processId: number;
  readonly #max: number;
  readonly #decide: Decide<Placed>;
  readonly #starts: Pick<StartStore, 'insert' | 'insertWithin'>;

  /** @param max attempts that wait, in all processes */
  constructor(parts: {
    db: Database;
    processId: number;
    max: number;
    decide: Decide<Placed>;
    starts: Pick<StartStore, 'insert' | 'insertWithin'>;
  }) {
    this.#db = parts.db;
    this.#processId = parts.processId;
    this.#max = parts.max;
    this.#decide = parts.decide;
    this.#starts = parts.starts;
  }

  /**
   * Inserts a queued attempt. It gets a container at once where nobody waits and there is one.
   * @param isNewAllowed false: this process creates no container now
   * @throws Conflict as StartStore.reserve, Unavailable if it would wait and the queue is full
   */
  async join(
    subject: Subject,
    userId: number,
    { entry, isNewAllowed }: { entry: Entry; isNewAllowed: boolean },
  ): Promise<{ attempt: AttemptRow; next: NextStart<Placed> | undefined }> {
    return await this.#starts.insert({ subject, userId, entry }, (values) =>
      this.#decide(async (trx, place) => {
        const waiting = await this.#waiting(trx);
        const state = { status: 'queued', process_id: null, asked_at: sql<Date>`now()` } as const;
        const { attempt, state: pinned } = await this.#starts.insertWithin(trx, values, state);
        const image = pinned.container_image;
        const placed = waiting === 0 ? await place(claimOf(attempt, image), { isNewAllowed }) : undefined;
        if (placed === undefined) {
          if (waiting >= this.#max)
            throw new Unavailable('queue_full', 'Too many wait for a container; try again later', { retryAfter: 30 });
          await notify.execute(trx);
          return { attempt, next: undefined };
        }
        const timeLimitMinutes = pinned.time_limit_minutes;
        return { attempt, next: { attempt: await this.#take(trx, attempt.id), timeLimitMinutes, placed } };
      }),
    );
  }

  /** Whether `next` may find a start. It does not lock, so that a process that may create no container does not hold up others. */
  async hasNext(isNewAllowed: boolean): Promise<boolean> {
    if ((await this.#waiting(this.#db)) === 0) return false;
    if (isNewAllowed) return true;
    const warm = this.#db.selectFrom('containers').select('id').where('status', '=', 'warm').limit(1);
    return (await warm.executeTakeFirst()) !== undefined;
  }

  /**
   * Reserves a container for the first attempt that waits. It starts with the state that its subject has now.
   * @returns undefined if nobody waits or there is no room
   */
  async next(isNewAllowed: boolean): Promise<NextStart<Placed> | undefined> {
    for (;;) {
      const found = await this.#decide((trx, place) => this.#nextWithin(trx, place, isNewAllowed));
      if (found === undefined || 'placed' in found) return found;
      // In a transaction of its own, so that nobody else waits for it.
      await recordState(this.#db, found.kind, found.subjectId);
    }
  }

  /** @returns the subject of the first attempt, if its state has to be recorded first */
  async #nextWithin(
    trx: Transaction<Tables>,
    place: Place<Placed>,
    isNewAllowed: boolean,
  ): Promise<NextStart<Placed> | { kind: AttemptKind; subjectId: number } | undefined> {
    for (;;) {
      const found = await this.#first(trx);
      if (!found) return undefined;
      const { id, kind, subjectId } = found;
      const state = await currentState(trx, kind, subjectId);
      if (!state) return { kind, subjectId };
      const attempt = await this.#pin(trx, id, state);
      if (!attempt) continue;
      const placed = await place(claimOf(attempt, state.container_image), { isNewAllowed });
      if (placed === undefined) return undefined;
      return { attempt: await this.#take(trx, id), timeLimitMinutes: state.time_limit_minutes, placed };
    }
  }

  /** Locks a queued attempt and sets its state. @returns undefined if its user has abandoned it */
  async #pin(trx: Transaction<Tables>, id: number, state: StartState): Promise<AttemptRow | undefined> {
    // An attempt whose owner asks for it is locked briefly and must not be skipped.
    const attempt = await trx
      .selectFrom('attempts')
      .selectAll()
      .where('id', '=', id)
      .where(isWaiting)
      .forUpdate()
      .executeTakeFirst();
    if (!attempt || attempt.state_id === state.id) return attempt;
    const { id: state_id, max_score, passing_score } = state;
    const pinned = trx.updateTable('attempts').set({ state_id, max_score, passing_score }).where('id', '=', id);
    return await pinned.returningAll().executeTakeFirstOrThrow();
  }

  /** Returns an attempt whose start failed to its place. @param processId of the process that was to start it */
  async release(id: number, processId = this.#processId): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      await trx
        .updateTable('attempts')
        .set({ process_id: null })
        .where('id', '=', id)
        .where('status', '=', 'queued')
        .where('process_id', '=', processId)
        .execute();
      await notify.execute(trx);
    });
  }

  /** Deletes an attempt that this process could not start: its request is refused. @returns false if it is no longer queued */
  async drop(id: number): Promise<boolean> {
    const query = this.#db.deleteFrom('attempts').where('id', '=', id).where('status', '=', 'queued');
    return (await query.where('process_id', '=', this.#processId).executeTakeFirst()).numDeletedRows > 0n;
  }

  /** The queued attempts that dead processes were to start. */
  async interrupted(gone: readonly number[]): Promise<(AttemptRow & { process_id: number })[]> {
    const rows = await this.#db
      .selectFrom('attempts')
      .selectAll()
      .where('status', '=', 'queued')
      .where('process_id', 'in', [...gone, 0])
      .execute();
    return rows.map((row) => ({ ...row, process_id: row.process_id ?? 0 }));
  }

  /** Records that a user asks for the queued attempts of one kind. One that let others pass takes its turn again. */
  async ask(userId: number, kind: AttemptKind): Promise<void> {
    await sql`with before as (
        select id, asked_at from attempts where user_id = ${userId} and kind = ${kind} and status = 'queued'
          and asked_at < now() - make_interval(secs => ${presenceSeconds / 6}) for update
      ), asked as (
        update attempts set asked_at = now() from before where attempts.id = before.id and attempts.status = 'queued'
      )
      select pg_notify(${queueChannel}, '') from before where asked_at < now() - make_interval(secs => ${presenceSeconds})
      `.execute(this.#db);
  }

  /** Abandons queued attempts whose owners have not asked for so long, or whose subject was deleted or session closed. @returns how many */
  async abandonAbsent(minutes: number): Promise<number> {
    return await this.#db.transaction().execute(async (trx) => {
      const abandoned = await trx
        .updateTable('attempts')
        .set({ status: 'abandoned' })
        .where('status', '=', 'queued')
        .where('process_id', 'is', null)
        .where((eb) =>
          eb.or([
            eb('asked_at', '<', sql<Date>`now() - make_interval(mins => ${minutes})`),
            eb.and([eb('exam_id', 'is', null), eb('laboratory_id', 'is', null)]),
            isSessionClosed,
          ]),
        )
        .returningAll()
        .execute();
      for (const attempt of abandoned) await logAttempt(trx, attempt, `${attempt.kind}_abandon`);
      return abandoned.length;
    });
  }

  async #waiting(db: Pick<Database, 'selectFrom'>): Promise<number> {
    const count = sql<number>`count(*)::int`.as('count');
    return (await db.selectFrom('attempts').select(count).where(isWaiting).executeTakeFirstOrThrow()).count;
  }

  async #first(trx: Transaction<Tables>): Promise<{ id: number; kind: AttemptKind; subjectId: number } | undefined> {
    return await trx
      .selectFrom('attempts')
      .select(['id', 'kind', sql<number>`coalesce(exam_id, laboratory_id)`.as('subjectId')])
      .where(isWaiting)
      .where((eb) => eb.or([eb('exam_id', 'is not', null), eb('laboratory_id', 'is not', null)]))
      .where(({ not }) => not(isSessionClosed))
      .orderBy('attempts.id')
      .limit(1)
      .executeTakeFirst();
  }

  async #take(trx: Transaction<Tables>, id: number): Promise<AttemptRow> {
    const taken = trx.updateTable('attempts').set({ process_id: this.#processId }).where('id', '=', id).returningAll();
    return await taken.executeTakeFirstOrThrow();
  }
}

const claimOf = ({ id, kind, container_name, user_id }: AttemptRow, image: string): Claim => ({
  ...{ image, kind, name: container_name, userId: user_id, attemptId: id },
});
