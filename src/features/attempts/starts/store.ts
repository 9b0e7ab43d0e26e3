import { type NotNull, sql, type Transaction } from 'kysely';
import { isLockedDown, isWaiting, statusSql } from '../../../database/attempt-status.ts';
import { isAssessment } from '../../../database/catalogue/assessments.ts';
import { currentState, recordState, type StartState } from '../../../database/catalogue/revisions.ts';
import { type Database, violatedConstraint } from '../../../database/connection/connect.ts';
import { isSessionClosed, sessionDeadline } from '../../../database/exam-session-rules.ts';
import type { AttemptKind, Tables } from '../../../database/tables.ts';
import { ConflictError, UnavailableError } from '../../../errors.ts';
import { draw, nextSeed } from '../../../values/variant.ts';
import type { ReservationStore, Reserved } from '../../capacity/reservation-store.ts';
import type { AttemptRow } from '../store.ts';
import { notifyQueue } from './queue-store.ts';

/** The assessment of an attempt: an exam or a laboratory. The rest of what an attempt needs is in its state. */
export type Assessment = {
  kind: AttemptKind;
  id: number;
  title: string;
  /** False: it starts even without an engine. The state decides whether it has a container. */
  needs_machine?: boolean;
};

/** Where and with what a start is requested. */
export type Entry = {
  sessionId?: number | undefined;
  accessCode?: string | undefined;
  /** Of the client. */
  address: string;
  /** The id of the login that starts. */
  login?: string | undefined;
};

/** An attempt whose container is reserved, and what of its assessment's state it needs to begin. */
export type PlacedStart = {
  attempt: AttemptRow;
  state: Pick<StartState, 'container_image' | 'time_limit_minutes'>;
  /** Null: it needs none. */
  placed: Reserved | null;
};

/** Reserves containers within a transaction; see `ReservationStore`. */
export type Capacity = Pick<ReservationStore, 'lock' | 'place'>;

/** The present revision of an assessment has to be recorded before an attempt of it can start. */
class RevisionMissingError extends Error {
  readonly kind: AttemptKind;
  readonly assessmentId: number;

  constructor(kind: AttemptKind, assessmentId: number) {
    super('The revision of the assessment is not recorded');
    this.kind = kind;
    this.assessmentId = assessmentId;
  }
}

/** The revisions that a start has recorded itself. It takes them also if others have changed the assessment since. */
class Recorded {
  readonly #states = new Map<string, StartState>();

  /** @throws RevisionMissingError */
  async of(trx: Transaction<Tables>, kind: AttemptKind, id: number): Promise<StartState> {
    const current = await currentState(trx, kind, id);
    if (current) return current;
    const recorded = this.#states.get(`${kind} ${id}`);
    // As for the current one, the assessment is not deleted before the end of the transaction.
    const row = trx.selectFrom('assessments').select('id').where(isAssessment(kind, id)).forKeyShare();
    if (!recorded || !(await row.executeTakeFirst())) throw new RevisionMissingError(kind, id);
    return recorded;
  }

  async record(db: Database, { kind, assessmentId }: RevisionMissingError): Promise<void> {
    this.#states.set(`${kind} ${assessmentId}`, await recordState(db, kind, assessmentId));
  }
}

type NewAttempt = { assessment: Assessment; userId: number; container_name: string; entry: Entry; mayQueue: boolean };

export type Admission = {
  /**
   * Decides in the transaction that inserts an attempt of an exam.
   * @returns the session in which it starts; null for an exam without sessions
   * @throws NotFoundError, ForbiddenError, ConflictError: it does not start
   */
  admit: (
    trx: Transaction<Tables>,
    examId: number,
    userId: number,
    entry: Entry,
  ) => Promise<{ session_id: number; is_locked_down: boolean } | null>;
};

/** Seconds after which a client may repeat a start that was refused for want of a container. */
const retryAfter = 30;

/**
 * Reserves attempts with their containers, and starts their clocks. Each change of status is one statement or transaction that checks the
 * previous status. Who gets a container is decided under one lock, for all processes. The order of the queue is that of the ids, which
 * are assigned under it as well.
 */
export class StartStore {
  readonly #db: Database;
  readonly #processId: number;
  readonly #limits: { laboratoriesPerUser: number; maxQueued: number };
  readonly #sessions: Admission;
  readonly #capacity: Capacity;

  /**
   * @param processId of the process that starts attempts: after its death the others find what it was starting
   * @param limits the active laboratory attempts of a user, and the attempts that wait in the queue, in all processes
   */
  constructor(parts: {
    db: Database;
    processId: number;
    limits: { laboratoriesPerUser: number; maxQueued: number };
    sessions: Admission;
    capacity: Capacity;
  }) {
    this.#db = parts.db;
    this.#processId = parts.processId;
    this.#limits = parts.limits;
    this.#sessions = parts.sessions;
    this.#capacity = parts.capacity;
  }

  /**
   * Inserts an attempt, and reserves its container where nobody waits and there is one.
   * @param mayQueue whether it waits in the queue otherwise; if not, nothing is inserted then
   * @param isNewAllowed false: this process creates no container now
   * @returns `placed` undefined: the attempt waits in the queue
   * @throws ConflictError when the user has an active attempt already (of any exam; of this laboratory), or too many of other laboratories;
   * Unavailable without a container, or with a full queue; for an exam see `Admission`
   */
  async reserve(
    assessment: Assessment,
    userId: number,
    { isNewAllowed, ...options }: { entry: Entry; mayQueue: boolean; isNewAllowed: boolean },
  ): Promise<PlacedStart | { attempt: AttemptRow; placed: undefined }> {
    for (let second = 0; ; second += 1) {
      const stamp = Math.floor(Date.now() / 1000) + second;
      const container_name = `${assessment.kind}-${assessment.id}-user-${userId}-${stamp}`;
      const values = { ...options, assessment, userId, container_name };
      try {
        return await this.#decide((trx, revisions) => this.#reserveWithin(trx, revisions, values, isNewAllowed));
      } catch (error) {
        const constraint = violatedConstraint(error);
        if (constraint?.startsWith('attempts_one_active'))
          throw new ConflictError(
            'attempt_active',
            `An attempt of this ${assessment.kind} is active already`.replace('of this exam ', ''),
          );
        // The same user started the same exam within the same second. The next second's name is free.
        if (constraint !== 'attempts_container_name_key' || second > 60) throw error;
      }
    }
  }

  /** Whether `next` may find a start. It does not lock, so that a process that may create no container does not hold up others. */
  async hasNext(isNewAllowed: boolean): Promise<boolean> {
    if ((await waitingAttempts(this.#db)) === 0) return false;
    if (isNewAllowed) return true;
    const warm = this.#db.selectFrom('containers').select('id').where('status', '=', 'warm').limit(1);
    return (await warm.executeTakeFirst()) !== undefined;
  }

  /**
   * Reserves a container for the first attempt that waits. It starts with the state that its assessment has now.
   * @returns undefined if nobody waits or there is no room
   */
  async next(isNewAllowed: boolean): Promise<PlacedStart | undefined> {
    return await this.#decide((trx, revisions) => this.#nextWithin(trx, revisions, isNewAllowed));
  }

  /** Another container for an attempt whose warm one was lost. @throws UnavailableError without room */
  async placeAgain({ attempt, state }: PlacedStart): Promise<Reserved> {
    return await this.#decide(async (trx) => {
      const placed = await this.#capacity.place(trx, claimOf(attempt, state), { isNewAllowed: true });
      return placed ?? refuse(0);
    });
  }

  /** Decides who gets a container. Repeats it once the revision of an assessment is recorded. */
  async #decide<Result>(work: (trx: Transaction<Tables>, revisions: Recorded) => Promise<Result>): Promise<Result> {
    const revisions = new Recorded();
    for (;;) {
      try {
        return await this.#db.transaction().execute(async (trx) => {
          await this.#capacity.lock(trx);
          return await work(trx, revisions);
        });
      } catch (error) {
        if (!(error instanceof RevisionMissingError)) throw error;
        // In a transaction of its own, so that nobody else waits for it.
        await revisions.record(this.#db, error);
      }
    }
  }

  async #reserveWithin(
    trx: Transaction<Tables>,
    revisions: Recorded,
    values: NewAttempt,
    isNewAllowed: boolean,
  ): Promise<PlacedStart | { attempt: AttemptRow; placed: undefined }> {
    const waiting = await waitingAttempts(trx);
    const { attempt, state } = await this.#insert(trx, revisions, values);
    if (!state.needs_machine) return { attempt, state, placed: null };
    const placed =
      waiting === 0 ? await this.#capacity.place(trx, claimOf(attempt, state), { isNewAllowed }) : undefined;
    if (placed) return { attempt: values.mayQueue ? await this.#take(trx, attempt.id) : attempt, state, placed };
    if (!values.mayQueue) refuse(waiting);
    if (waiting >= this.#limits.maxQueued)
      throw new UnavailableError('queue_full', 'Too many wait for a container; try again later', { retryAfter });
    await notifyQueue.execute(trx);
    return { attempt, placed };
  }

  async #nextWithin(
    trx: Transaction<Tables>,
    revisions: Recorded,
    isNewAllowed: boolean,
  ): Promise<PlacedStart | undefined> {
    for (;;) {
      const first = await firstWaiting(trx);
      if (!first) return undefined;
      const state = await revisions.of(trx, first.kind, first.assessmentId);
      const attempt = await pin(trx, first.id, state);
      if (!attempt) continue;
      if (!state.needs_machine) return { attempt: await this.#take(trx, first.id), state, placed: null };
      const placed = await this.#capacity.place(trx, claimOf(attempt, state), { isNewAllowed });
      return placed && { attempt: await this.#take(trx, first.id), state, placed };
    }
  }

  /** This process starts the queued attempt. */
  async #take(trx: Transaction<Tables>, id: number): Promise<AttemptRow> {
    const taken = trx.updateTable('attempts').set({ process_id: this.#processId }).where('id', '=', id).returningAll();
    return await taken.executeTakeFirstOrThrow();
  }

  /** @throws ConflictError over the limit of laboratories; see `Admission` */
  async #insert(
    trx: Transaction<Tables>,
    revisions: Recorded,
    { assessment, userId, container_name, entry, mayQueue }: NewAttempt,
  ): Promise<{ attempt: AttemptRow; state: StartState }> {
    const { kind, title } = assessment;
    if (kind === 'laboratory') await this.#checkLaboratories(trx, userId, assessment.id);
    // Before the sessions, because the deletion of an exam locks it before them.
    const current = await revisions.of(trx, kind, assessment.id);
    const admitted = kind === 'exam' ? await this.#sessions.admit(trx, assessment.id, userId, entry) : null;
    const attempt = await trx
      .insertInto('attempts')
      .values({
        ...{ kind, assessment_id: assessment.id, user_id: userId, title, container_name },
        ...{
          expires_at: expiry(current.time_limit_minutes),
          max_score: current.max_score,
          passing_score: current.passing_score,
          revision_id: current.id,
          variant: await drawn(trx, current, {
            kind,
            assessment_id: assessment.id,
            session_id: admitted?.session_id ?? null,
          }),
          needs_machine: current.needs_machine,
          ...admitted,
        },
        ...(mayQueue && current.needs_machine
          ? { status: 'queued', process_id: null, asked_at: now }
          : { status: 'starting', process_id: this.#processId }),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return { attempt, state: current };
  }

  /**
   * The container exists: starts the clock, which is stopped while its session is paused.
   * @returns undefined when the reservation was given up in the meantime, or another process starts the queued attempt
   */
  async begin(
    { id, session_id }: Pick<AttemptRow, 'id' | 'session_id'>,
    timeLimitMinutes: number | null,
  ): Promise<AttemptRow | undefined> {
    if (session_id === null) return await this.#begin(this.#db, id, timeLimitMinutes);
    return await this.#db.transaction().execute(async (trx) => {
      // A pause or a change of the session happens before or after this, never in between.
      await sql`select from exam_sessions where id = (select session_id from attempts where id = ${id}) for share`.execute(
        trx,
      );
      return await this.#begin(trx, id, timeLimitMinutes);
    });
  }

  /** One statement, because a user waits for it. */
  async #begin(
    db: Pick<Database, 'with'>,
    id: number,
    timeLimitMinutes: number | null,
  ): Promise<AttemptRow | undefined> {
    const ofSession = sessionDeadline(now, sql`${timeLimitMinutes}::int`);
    return await db
      .with('begun', (eb) =>
        eb
          .updateTable('attempts')
          .set({
            status: 'in_progress',
            started_at: now,
            time_limit_minutes: timeLimitMinutes,
            image_id: sql<string | null>`(select image_id from containers where attempt_id = attempts.id)`,
            expires_at: sql<Date | null>`coalesce(${ofSession}, ${expiry(timeLimitMinutes)})`,
            paused_at: sql<Date | null>`(select ${now} from exam_sessions as sessions
              where sessions.id = attempts.session_id and sessions.paused_at is not null)`,
          })
          .where('id', '=', id)
          .where(this.#isStarted)
          .returningAll(),
      )
      .with('of_container', (eb) =>
        eb
          .updateTable('containers')
          .from('begun')
          .set({ expires_at: sql<Date | null>`case when begun.paused_at is null then begun.expires_at end` })
          .whereRef('containers.attempt_id', '=', 'begun.id'),
      )
      .with('logged', (eb) =>
        eb
          .insertInto('activity_log')
          .columns(['actor_id', 'user_id', 'type', 'title', 'entity_type', 'entity_id'])
          .expression((from) =>
            from
              .selectFrom('begun')
              .select([
                'user_id as actor_id',
                'user_id',
                sql<string>`kind || '_start'`.as('type'),
                'title',
                sql<string>`kind`.as('entity_type'),
                'assessment_id as entity_id',
              ]),
          ),
      )
      .selectFrom('begun')
      .selectAll()
      .executeTakeFirst();
  }

  /** The start has failed, so no attempt is used up. @returns false if it has begun, or is not being started any more */
  async drop(id: number): Promise<boolean> {
    const query = this.#db.deleteFrom('attempts').where('id', '=', id).where(this.#isStarted);
    return (await query.executeTakeFirst()).numDeletedRows > 0n;
  }

  /** A reservation, or a queued attempt that this process starts. */
  get #isStarted() {
    return sql<boolean>`(attempts.status = 'starting' or attempts.status = 'queued' and attempts.process_id = ${this.#processId})`;
  }

  /** Serializes the starts of one user, so that two concurrent starts do not both take the last place. */
  async #checkLaboratories(trx: Transaction<Tables>, userId: number, laboratoryId: number): Promise<void> {
    await trx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
    const { rows } = await sql<{ is: boolean }>`select ${isLockedDown(sql`${userId}::int`)} as is`.execute(trx);
    if (rows[0]?.is) throw new ConflictError('exam_locked_down', 'During this exam you cannot start laboratories');
    const { others } = await trx
      .selectFrom('attempts')
      .select(sql<number>`count(*)::int`.as('others'))
      .where('user_id', '=', userId)
      .where('kind', '=', 'laboratory')
      .where(statusSql.isUnfinished())
      .where('assessment_id', '<>', laboratoryId)
      .executeTakeFirstOrThrow();
    if (others >= this.#limits.laboratoriesPerUser)
      throw new ConflictError(
        'too_many_laboratories',
        `You have ${others} laboratories open; submit or abandon one first`,
      );
  }
}

const now = sql<Date>`now()`;
const expiry = (minutes: number | null) =>
  minutes === null ? null : sql<Date>`now() + make_interval(mins => ${minutes})`;

const claimOf = ({ id, kind, container_name, user_id }: AttemptRow, { container_image }: PlacedStart['state']) => ({
  ...{ image: container_image, kind, name: container_name, userId: user_id, attemptId: id },
});

/** @param waiting how many wait for a container @throws UnavailableError */
function refuse(waiting: number): never {
  const reason = waiting > 0 ? 'Others wait for a container' : 'All containers are in use';
  throw new UnavailableError('no_capacity', `${reason}; try again later`, { retryAfter });
}

async function waitingAttempts(db: Pick<Database, 'selectFrom'>): Promise<number> {
  const count = sql<number>`count(*)::int`.as('count');
  return (await db.selectFrom('attempts').select(count).where(isWaiting).executeTakeFirstOrThrow()).count;
}

async function firstWaiting(
  trx: Transaction<Tables>,
): Promise<{ id: number; kind: AttemptKind; assessmentId: number } | undefined> {
  return await trx
    .selectFrom('attempts')
    .select(['id', 'kind', 'assessment_id as assessmentId'])
    .where(isWaiting)
    .where('assessment_id', 'is not', null)
    .where(({ not }) => not(isSessionClosed))
    .orderBy('attempts.id')
    .limit(1)
    .$narrowType<{ assessmentId: NotNull }>()
    .executeTakeFirst();
}

/** Locks a queued attempt and sets its state. @returns undefined if its user has abandoned it */
async function pin(trx: Transaction<Tables>, id: number, state: StartState): Promise<AttemptRow | undefined> {
  // An attempt whose owner asks for it is locked briefly and must not be skipped.
  const attempt = await trx
    .selectFrom('attempts')
    .selectAll()
    .where('id', '=', id)
    .where(isWaiting)
    .forUpdate()
    .executeTakeFirst();
  if (!attempt || attempt.revision_id === state.id) return attempt;
  const { id: revision_id, max_score, passing_score, needs_machine } = state;
  // In the turn that it had.
  const variant = await drawn(trx, state, attempt.variant?.seed ?? attempt);
  const fields = { revision_id, max_score, passing_score, needs_machine, variant };
  const pinned = trx.updateTable('attempts').set(fields).where('id', '=', id);
  return await pinned.returningAll().executeTakeFirstOrThrow();
}

/**
 * What an attempt draws of a revision. The attempts of one session, or all of an assessment outside of sessions, take turns: the lock of
 * the starts lets no two have the same.
 * @param turn its seed, or where it is to have the next turn
 */
async function drawn(
  trx: Transaction<Tables>,
  { id, is_varied }: Pick<StartState, 'id' | 'is_varied'>,
  turn: string | Pick<AttemptRow, 'kind' | 'assessment_id' | 'session_id'>,
): Promise<string | null> {
  if (!is_varied) return null;
  const revisions = trx.selectFrom('assessment_revisions').select('content').where('id', '=', id);
  const { content } = await revisions.executeTakeFirstOrThrow();
  return JSON.stringify(
    draw(typeof turn === 'string' ? turn : nextSeed(await lastSeed(trx, turn)), content.tasks, content.draw),
  );
}

async function lastSeed(
  trx: Transaction<Tables>,
  { kind, assessment_id, session_id }: Pick<AttemptRow, 'kind' | 'assessment_id' | 'session_id'>,
): Promise<string | undefined> {
  const last = await trx
    .selectFrom('attempts')
    .select('variant')
    .where('kind', '=', kind)
    .where('assessment_id', '=', assessment_id)
    .where('session_id', 'is not distinct from', session_id)
    .where('variant', 'is not', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last?.variant?.seed;
}
