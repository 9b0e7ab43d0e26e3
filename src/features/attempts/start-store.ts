import { sql, type Transaction } from 'kysely';
import { type Database, violatedConstraint } from '../../database/connection/connect.ts';
import type { AttemptKind, Tables } from '../../database/tables.ts';
import { Conflict } from '../../errors.ts';
import { type AttemptRow, logAttempt, unsettled } from './store.ts';

/** The subject of an attempt: an exam or a laboratory, with the fields that an attempt needs. */
export type Subject = {
  kind: AttemptKind;
  id: number;
  title: string;
  container_image: string;
  time_limit_minutes: number | null;
  passing_score: number;
  max_score: number;
};

/** Reserves attempts and starts their clocks. Each change of state is one statement or transaction that checks the previous state. */
export class StartStore {
  readonly #db: Database;
  readonly #processId: number;
  readonly #laboratoriesPerUser: number;

  /**
   * @param processId of the process that starts attempts: after its death the others find its unfinished reservations
   * @param laboratoriesPerUser how many active laboratory attempts a user may have
   */
  constructor(db: Database, processId: number, laboratoriesPerUser: number) {
    this.#db = db;
    this.#processId = processId;
    this.#laboratoriesPerUser = laboratoriesPerUser;
  }

  /**
   * Reserves an attempt and its container's name before the container exists.
   * @throws Conflict when the user has an active attempt already (of any exam; of this laboratory), or too many of other laboratories
   */
  async reserve(subject: Subject, userId: number): Promise<AttemptRow> {
    for (let second = 0; ; second += 1) {
      const stamp = Math.floor(Date.now() / 1000) + second;
      try {
        return await this.#db.transaction().execute(async (trx) => {
          if (subject.kind === 'laboratory') await this.#checkLaboratories(trx, userId, subject.id);
          return await trx
            .insertInto('attempts')
            .values({
              kind: subject.kind,
              [`${subject.kind}_id` as 'exam_id']: subject.id,
              user_id: userId,
              title: subject.title,
              container_name: `${subject.kind}-${subject.id}-user-${userId}-${stamp}`,
              status: 'starting',
              process_id: this.#processId,
              expires_at: expiry(subject.time_limit_minutes),
              max_score: subject.max_score,
              passing_score: subject.passing_score,
            })
            .returningAll()
            .executeTakeFirstOrThrow();
        });
      } catch (error) {
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

  /** The container exists: starts the clock. @returns undefined when the reservation was given up in the meantime */
  async begin(id: number, timeLimitMinutes: number | null): Promise<AttemptRow | undefined> {
    return await this.#db.transaction().execute(async (trx) => {
      const attempt = await trx
        .updateTable('attempts')
        .set({ status: 'in_progress', started_at: sql<Date>`now()`, expires_at: expiry(timeLimitMinutes) })
        .where('id', '=', id)
        .where('status', '=', 'starting')
        .returningAll()
        .executeTakeFirst();
      if (attempt) {
        await trx
          .updateTable('containers')
          .set({ expires_at: attempt.expires_at })
          .where('attempt_id', '=', id)
          .execute();
        await logAttempt(trx, attempt, `${attempt.kind}_start`);
      }
      return attempt;
    });
  }

  /** No container was available, so no attempt was used up. @returns false where it has begun, or no longer exists */
  async dropReservation(id: number): Promise<boolean> {
    const query = this.#db.deleteFrom('attempts').where('id', '=', id).where('status', '=', 'starting');
    return (await query.executeTakeFirst()).numDeletedRows > 0n;
  }

  /** Serializes the starts of one user, so that two concurrent starts do not both take the last place. */
  async #checkLaboratories(trx: Transaction<Tables>, userId: number, laboratoryId: number): Promise<void> {
    await trx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
    const { others } = await trx
      .selectFrom('attempts')
      .select(sql<number>`count(*)::int`.as('others'))
      .where('user_id', '=', userId)
      .where('kind', '=', 'laboratory')
      .where('status', 'in', unsettled)
      .where('laboratory_id', '<>', laboratoryId)
      .executeTakeFirstOrThrow();
    if (others >= this.#laboratoriesPerUser)
      throw new Conflict('too_many_laboratories', `You have ${others} laboratories open; submit or abandon one first`);
  }
}

const expiry = (minutes: number | null) =>
  minutes === null ? null : sql<Date>`now() + make_interval(mins => ${minutes})`;
