import { type RawBuilder, sql, type Transaction } from 'kysely';
import { isLockedDown, isWaiting, statusSql } from '../../database/attempt-status.ts';
import { currentState, recordState, type StartState } from '../../database/catalogue/subject-states.ts';
import { type Database, violatedConstraint } from '../../database/connection/connect.ts';
import { sessionDeadline } from '../../database/exam-session-rules.ts';
import type { AttemptKind, Tables } from '../../database/tables.ts';
import { Conflict, Unavailable } from '../../errors.ts';
import type { AttemptRow } from './store.ts';

/** The subject of an attempt: an exam or a laboratory. The rest of what an attempt needs is in its state. */
export type Subject = { kind: AttemptKind; id: number; title: string };

/** Where and with what a start is requested. */
export type Entry = {
  sessionId?: number | undefined;
  accessCode?: string | undefined;
  /** Of the client. */
  address: string;
  /** The id of the login that starts. */
  login?: string | undefined;
};

/** An attempt that was inserted, and the state of its subject that it is shown and graded by. */
export type Reserved = { attempt: AttemptRow; state: StartState };

/** The container that an attempt needs. */
export type WantedContainer = { image: string; kind: AttemptKind; name: string; userId: number; attemptId: number };
/** Claims a waiting container in the transaction that inserts its attempt. */
export type ClaimWarm<Container> = (
  trx: Transaction<Tables>,
  wanted: WantedContainer,
) => Promise<Container | undefined>;

/** The state of a subject has to be recorded before an attempt of it can be inserted. */
class StateMissing extends Error {}

/** How often a start records the state of its subject, which others can change at once. */
const maxRecordings = 20;

/** The values of an attempt that is inserted. */
export type NewAttempt = { subject: Subject; userId: number; container_name: string; entry: Entry };

export type Admission = {
  /**
   * Decides in the transaction that inserts an attempt of an exam.
   * @returns the session in which it starts; null for an exam without sessions
   * @throws NotFound, Forbidden, Conflict: it does not start
   */
  admit: (
    trx: Transaction<Tables>,
    examId: number,
    userId: number,
    entry: Entry,
  ) => Promise<{ session_id: number; is_locked_down: boolean } | null>;
};

/** Reserves attempts and starts their clocks. Each change of state is one statement or transaction that checks the previous state. */
export class StartStore<Container = unknown> {
  readonly #db: Database;
  readonly #processId: number;
  readonly #laboratoriesPerUser: number;
  readonly #sessions: Admission;
  readonly #claimWarm: ClaimWarm<Container>;

  /**
   * @param processId of the process that starts attempts: after its death the others find its unfinished reservations
   * @param laboratoriesPerUser how many active laboratory attempts a user may have
   */
  constructor(
    db: Database,
    processId: number,
    laboratoriesPerUser: number,
    sessions: Admission,
    claimWarm: ClaimWarm<Container>,
  ) {
    this.#db = db;
    this.#processId = processId;
    this.#laboratoriesPerUser = laboratoriesPerUser;
    this.#sessions = sessions;
    this.#claimWarm = claimWarm;
  }

  /**
   * Reserves an attempt and its container's name before the container exists, and with it a container that waits, if there is one.
   * @throws Conflict when the user has an active attempt already (of any exam; of this laboratory), or too many of other laboratories;
   * Unavailable while others wait in the queue; for an exam see `Admission`
   */
  async reserve(
    subject: Subject,
    userId: number,
    entry: Entry,
  ): Promise<Reserved & { wanted: WantedContainer; warm: Container | undefined }> {
    return await this.insert({ subject, userId, entry }, (values) =>
      this.#db.transaction().execute(async (trx) => {
        const reserved = await this.insertWithin(trx, values, { status: 'starting' });
        const waiting = trx.selectFrom('attempts').select('id').where(isWaiting).limit(1);
        if (await waiting.executeTakeFirst())
          throw new Unavailable('no_capacity', 'Others wait for a container; try again later', { retryAfter: 30 });
        const { id: attemptId, container_name: name } = reserved.attempt;
        const wanted = { image: reserved.state.container_image, kind: subject.kind, name, userId, attemptId };
        return { ...reserved, wanted, warm: await this.#claimWarm(trx, wanted) };
      }),
    );
  }

  /**
   * Inserts an attempt in a transaction of the caller, which calls `insertWithin`. Repeats it while the name of the container is taken, and
   * once the state of the subject is recorded.
   * @throws Conflict as `reserve`
   */
  async insert<Result>(
    start: Omit<NewAttempt, 'container_name'>,
    transaction: (values: NewAttempt) => Promise<Result>,
  ): Promise<Result> {
    const { subject, userId } = start;
    let recordings = 0;
    for (let second = 0; ; second += 1) {
      const stamp = Math.floor(Date.now() / 1000) + second;
      const container_name = `${subject.kind}-${subject.id}-user-${userId}-${stamp}`;
      try {
        return await transaction({ ...start, container_name });
      } catch (error) {
        if (error instanceof StateMissing && recordings < maxRecordings) {
          await recordState(this.#db, subject.kind, subject.id);
          recordings += 1;
          second -= 1;
          continue;
        }
        const constraint = violatedConstraint(error);
        if (constraint?.startsWith('attempts_one_active'))
          throw new Conflict(
            'attempt_active',
            `An attempt of this ${subject.kind} is active already`.replace('of this exam ', ''),
          );
        // The same user started the same exam within the same second. The next second's name is free.
        if (constraint !== 'attempts_container_name_key' || second > 60) throw error;
      }
    }
  }

  /** @throws Conflict over the limit of laboratories, and errors that `insert` handles */
  async insertWithin(
    trx: Transaction<Tables>,
    { subject, userId, container_name, entry }: NewAttempt,
    state: { status: 'starting' } | { status: 'queued'; process_id: null; asked_at: RawBuilder<Date> },
  ): Promise<Reserved> {
    const { kind, title } = subject;
    if (kind === 'laboratory') await this.#checkLaboratories(trx, userId, subject.id);
    // Before the sessions, because the deletion of an exam locks it before them.
    const current = await currentState(trx, kind, subject.id);
    if (!current) throw new StateMissing('The state of the subject is not recorded');
    const admitted = kind === 'exam' ? await this.#sessions.admit(trx, subject.id, userId, entry) : null;
    const attempt = await trx
      .insertInto('attempts')
      .values({
        ...{ kind, [`${kind}_id` as 'exam_id']: subject.id, user_id: userId, title, container_name },
        ...{
          process_id: this.#processId,
          expires_at: expiry(current.time_limit_minutes),
          max_score: current.max_score,
          passing_score: current.passing_score,
          state_id: current.id,
          ...admitted,
        },
        ...state,
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
          .where((where) =>
            where.or([
              where('status', '=', 'starting'),
              where.and([where('status', '=', 'queued'), where('process_id', '=', this.#processId)]),
            ]),
          )
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
                sql<number | null>`coalesce(exam_id, laboratory_id)`.as('entity_id'),
              ]),
          ),
      )
      .selectFrom('begun')
      .selectAll()
      .executeTakeFirst();
  }

  /** No container was available, so no attempt was used up. @returns false where it has begun, or no longer exists */
  async dropReservation(id: number): Promise<boolean> {
    const query = this.#db.deleteFrom('attempts').where('id', '=', id).where('status', '=', 'starting');
    return (await query.executeTakeFirst()).numDeletedRows > 0n;
  }

  /** Serializes the starts of one user, so that two concurrent starts do not both take the last place. */
  async #checkLaboratories(trx: Transaction<Tables>, userId: number, laboratoryId: number): Promise<void> {
    await trx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
    const { rows } = await sql<{ is: boolean }>`select ${isLockedDown(sql`${userId}::int`)} as is`.execute(trx);
    if (rows[0]?.is) throw new Conflict('exam_locked_down', 'During this exam you cannot start laboratories');
    const { others } = await trx
      .selectFrom('attempts')
      .select(sql<number>`count(*)::int`.as('others'))
      .where('user_id', '=', userId)
      .where('kind', '=', 'laboratory')
      .where(statusSql.isUnfinished())
      .where('laboratory_id', '<>', laboratoryId)
      .executeTakeFirstOrThrow();
    if (others >= this.#laboratoriesPerUser)
      throw new Conflict('too_many_laboratories', `You have ${others} laboratories open; submit or abandon one first`);
  }
}

const now = sql<Date>`now()`;
const expiry = (minutes: number | null) =>
  minutes === null ? null : sql<Date>`now() + make_interval(mins => ${minutes})`;
