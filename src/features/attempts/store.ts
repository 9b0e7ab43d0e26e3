import { type Selectable, sql, type Transaction } from 'kysely';
import { type Database, violatedConstraint } from '../../database/connect.ts';
import type { AttemptKind, AttemptsTable, Tables, TaskResultsTable } from '../../database/tables.ts';
import { Conflict } from '../../errors.ts';
import type { Page } from '../../http/paging.ts';

export type AttemptRow = Selectable<AttemptsTable>;
export type TaskResultRow = Selectable<TaskResultsTable>;
export type GradingTask = {
  id: number;
  title: string;
  points: number;
  order_index: number;
  verification_script: string;
};

/** Whether grading ends the attempt: because its user wants it, because its time is over, or not at all. */
export type GradingPurpose = 'submit' | 'expire' | 'check';

/** What is attempted: an exam or a laboratory, as far as an attempt is concerned. */
export type Subject = {
  kind: AttemptKind;
  id: number;
  title: string;
  container_image: string;
  time_limit_minutes: number | null;
  passing_score: number;
  max_score: number;
};

const unsettled = ['starting', 'in_progress', 'grading'] as const;
const now = sql<Date>`now()`;

/** Seconds without a sign of life after which whoever graded is taken for dead. */
export const gradingBeatSeconds = 20;

/** Attempts and their results. Every change of an attempt's state is one statement or transaction here that asks for the state it changes. */
export class AttemptStore {
  readonly #db: Database;
  readonly #processId: number;
  readonly #laboratoriesPerUser: number;

  /**
   * @param processId of who starts and grades with it: what another process has taken over since, it writes no more
   * @param laboratoriesPerUser attempts of laboratories that a user may have active at once
   */
  constructor(db: Database, processId: number, laboratoriesPerUser: number) {
    this.#db = db;
    this.#processId = processId;
    this.#laboratoriesPerUser = laboratoriesPerUser;
  }

  async byId(id: number): Promise<AttemptRow | undefined> {
    return await this.#db
      .selectFrom('attempts')
      .selectAll()
      .where('id', '=', id)
      .where('status', '<>', 'starting')
      .executeTakeFirst();
  }

  async results(attemptId: number): Promise<TaskResultRow[]> {
    return await this.#db
      .selectFrom('task_results')
      .selectAll()
      .where('attempt_id', '=', attemptId)
      .orderBy('order_index')
      .orderBy('task_id')
      .execute();
  }

  /** A user's active attempts, newest first: one of exams, one of each laboratory. */
  async active(userId: number, kind: AttemptKind): Promise<AttemptRow[]> {
    return await this.#db
      .selectFrom('attempts')
      .selectAll()
      .where('user_id', '=', userId)
      .where('kind', '=', kind)
      .where('status', 'in', ['in_progress', 'grading'])
      .orderBy('id', 'desc')
      .execute();
  }

  async activeFor(userId: number, kind: AttemptKind, subjectId: number): Promise<AttemptRow | undefined> {
    return await this.#db
      .selectFrom('attempts')
      .selectAll()
      .where('user_id', '=', userId)
      .where(kind === 'exam' ? 'exam_id' : 'laboratory_id', '=', subjectId)
      .where('status', 'in', ['in_progress', 'grading'])
      .executeTakeFirst();
  }

  /** Whether a user's attempt of a laboratory is being started, in whichever process. */
  async isStarting(userId: number, laboratoryId: number): Promise<boolean> {
    const starting = await this.#db
      .selectFrom('attempts')
      .select('id')
      .where('user_id', '=', userId)
      .where('laboratory_id', '=', laboratoryId)
      .where('status', '=', 'starting')
      .executeTakeFirst();
    return starting !== undefined;
  }

  async ofUser(userId: number, kind: AttemptKind, page: Page): Promise<{ rows: AttemptRow[]; total: number }> {
    const query = this.#db
      .selectFrom('attempts')
      .where('user_id', '=', userId)
      .where('kind', '=', kind)
      .where('status', '<>', 'starting');
    const rows = await query.selectAll().orderBy('id', 'desc').limit(page.limit).offset(page.offset).execute();
    const { total } = await query.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow();
    return { rows, total };
  }

  /**
   * Reserves an attempt and its container's name, before there is a container.
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
        // The same user tried the same exam within the same second: the next second's name is free.
        if (constraint !== 'attempts_container_name_key' || second > 60) throw error;
      }
    }
  }

  /** Starts of one user wait for each other here, so that two at the same moment do not both take the last place. */
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

  /** The container is there: the clock starts. @returns undefined when the reservation was given up meanwhile */
  async begin(id: number, timeLimitMinutes: number | null): Promise<AttemptRow | undefined> {
    return await this.#db.transaction().execute(async (trx) => {
      const attempt = await trx
        .updateTable('attempts')
        .set({ status: 'in_progress', started_at: now, expires_at: expiry(timeLimitMinutes) })
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
        await logActivity(trx, attempt, `${attempt.kind}_start`);
      }
      return attempt;
    });
  }

  /** No container was to be had: no attempt was used up. @returns false where it has begun, or is gone */
  async dropReservation(id: number): Promise<boolean> {
    const query = this.#db.deleteFrom('attempts').where('id', '=', id).where('status', '=', 'starting');
    return (await query.executeTakeFirst()).numDeletedRows > 0n;
  }

  /**
   * Of all who want to grade an attempt at the same time, one gets it. The moment of submission is now, or the deadline where it
   * has passed: by the database's clock. A check submits nothing, and comes too late at the deadline.
   */
  async beginGrading(attemptId: number, purpose: GradingPurpose): Promise<AttemptRow | undefined> {
    const submitted_at = purpose === 'check' ? null : sql<Date>`least(now(), expires_at)`;
    return await this.#db
      .updateTable('attempts')
      .set({ status: 'grading', process_id: this.#processId, grading_beat_at: now, submitted_at })
      .where('id', '=', attemptId)
      .where('status', '=', 'in_progress')
      .$if(purpose === 'expire', (query) => query.where('expires_at', '<=', now))
      .$if(purpose === 'check', (query) =>
        query.where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)])),
      )
      .returningAll()
      .executeTakeFirst();
  }

  async beat(attemptId: number): Promise<void> {
    await this.#db
      .updateTable('attempts')
      .set({ grading_beat_at: now })
      .where('id', '=', attemptId)
      .where('status', '=', 'grading')
      .where('process_id', '=', this.#processId)
      .execute();
  }

  /**
   * Writes one task's result; a task that is graded again after a failure replaces what it had. Nothing is written where another
   * process has taken the grading over.
   */
  async saveResult(attemptId: number, task: GradingTask, passed: boolean, output: string): Promise<void> {
    const graded = {
      title: task.title,
      order_index: task.order_index,
      points: task.points,
      points_earned: passed ? task.points : 0,
      passed,
      output,
    };
    await this.#db
      .insertInto('task_results')
      .columns(['attempt_id', 'task_id', ...gradedColumns])
      .expression((eb) =>
        eb
          .selectFrom('attempts')
          .select((row) => [
            'id',
            row.val(task.id).as('task_id'),
            ...gradedColumns.map((column) => row.val(graded[column]).as(column)),
          ])
          .where('id', '=', attemptId)
          .where('status', '=', 'grading')
          .where('process_id', '=', this.#processId)
          .forShare(),
      )
      .onConflict((conflict) => conflict.columns(['attempt_id', 'task_id']).doUpdateSet({ ...graded, graded_at: now }))
      .execute();
  }

  /** Totals the results and ends the attempt. */
  async finish(attempt: AttemptRow, taskIds: readonly number[], integrity: string[] | null): Promise<AttemptRow> {
    return await this.#db.transaction().execute(async (trx) => {
      await dropOtherResults(trx, attempt.id, taskIds);
      const totals = await trx
        .selectFrom('task_results')
        .select([
          sql<number>`coalesce(sum(points_earned), 0)::int`.as('score'),
          sql<number>`coalesce(sum(points), 0)::int`.as('max_score'),
        ])
        .where('attempt_id', '=', attempt.id)
        .executeTakeFirstOrThrow();
      const finished = await trx
        .updateTable('attempts')
        .set({
          status: sql<'finished' | 'expired'>`case when submitted_at >= expires_at then 'expired' else 'finished' end`,
          ...totals,
          passed: sql<boolean>`${totals.score} >= passing_score`,
          grading_error: null,
          grading_beat_at: null,
          integrity: integrity === null ? null : JSON.stringify(integrity),
        })
        .where('id', '=', attempt.id)
        .where('status', '=', 'grading')
        .where('process_id', '=', this.#processId)
        .returningAll()
        .executeTakeFirstOrThrow();
      await logActivity(trx, finished, `${finished.kind}_${finished.status === 'expired' ? 'expire' : 'submit'}`);
      return finished;
    });
  }

  /** A check is over: the attempt goes on, with the results as they are now. */
  async endCheck(id: number, taskIds: readonly number[]): Promise<AttemptRow> {
    return await this.#db.transaction().execute(async (trx) => {
      await dropOtherResults(trx, id, taskIds);
      return await trx
        .updateTable('attempts')
        .set({ status: 'in_progress', grading_beat_at: null, grading_error: null })
        .where('id', '=', id)
        .where('status', '=', 'grading')
        .where('process_id', '=', this.#processId)
        .returningAll()
        .executeTakeFirstOrThrow();
    });
  }

  /**
   * Grading failed part-way: the attempt is as it was before, and says why. The verdicts that it has are dropped: they are given
   * again at the next grading.
   */
  async returnToProgress(id: number, gradingError: string): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      const returned = await trx
        .updateTable('attempts')
        .set({ status: 'in_progress', submitted_at: null, grading_beat_at: null, grading_error: gradingError })
        .where('id', '=', id)
        .where('status', '=', 'grading')
        .where('process_id', '=', this.#processId)
        .returning('id')
        .execute();
      await dropResults(trx, returned);
    });
  }

  /**
   * Ends an attempt without a result. What a grading under way has found is dropped.
   * @param reason for administrators, where it was not the user's wish
   */
  async abandon(
    id: number,
    from: readonly ('in_progress' | 'grading')[],
    reason: string | null = null,
  ): Promise<AttemptRow | undefined> {
    return await this.#db.transaction().execute(async (trx) => {
      const attempt = await trx
        .updateTable('attempts')
        .set({
          status: 'abandoned',
          submitted_at: null,
          grading_beat_at: null,
          ...(reason === null ? {} : { grading_error: reason }),
        })
        .where('id', '=', id)
        .where('status', 'in', from)
        .where((eb) => eb.or([eb('status', '<>', 'grading'), eb('process_id', '=', this.#processId)]))
        .returningAll()
        .executeTakeFirst();
      if (!attempt) return undefined;
      if (from.includes('grading')) await dropResults(trx, [attempt]);
      await logActivity(trx, attempt, `${attempt.kind}_abandon`);
      return attempt;
    });
  }

  async gradingTasks(kind: AttemptKind, subjectId: number | null): Promise<GradingTask[]> {
    const columns = ['id', 'title', 'points', 'order_index', 'verification_script'] as const;
    if (kind === 'exam') {
      const tasks = this.#db.selectFrom('exam_tasks').select(columns).where('exam_id', '=', subjectId);
      return await tasks.orderBy('order_index').orderBy('id').execute();
    }
    const tasks = this.#db.selectFrom('laboratory_tasks').select(columns).where('laboratory_id', '=', subjectId);
    return await tasks.orderBy('order_index').orderBy('id').execute();
  }

  /** Gives attempts without a time limit that began so long ago a deadline, which is now: nobody comes back to them. */
  async endForgotten(hours: number): Promise<void> {
    await this.#db
      .updateTable('attempts')
      .set({ expires_at: now })
      .where('status', '=', 'in_progress')
      .where('expires_at', 'is', null)
      .where('started_at', '<', sql<Date>`now() - make_interval(hours => ${hours})`)
      .execute();
  }

  /** Attempts in progress whose time is over. */
  async overdue(limit: number): Promise<AttemptRow[]> {
    return await this.#db
      .selectFrom('attempts')
      .selectAll()
      .where('status', '=', 'in_progress')
      .where('expires_at', '<=', now)
      .orderBy('expires_at')
      .limit(limit)
      .execute();
  }

  /** Whether an attempt's deadline is so many minutes past. */
  async isLongOver(id: number, minutes: number): Promise<boolean> {
    const query = this.#db
      .selectFrom('attempts')
      .select('id')
      .where('id', '=', id)
      .where('expires_at', '<', sql<Date>`now() - make_interval(mins => ${minutes})`);
    return (await query.executeTakeFirst()) !== undefined;
  }

  /**
   * Returns what a process that died was grading to `in_progress`, without the verdicts that it had, and lists reservations that
   * nobody will complete.
   * @param gone processes that live no more; of others only what has stood still for too long
   */
  async recover(
    gone: readonly number[],
    startingSeconds: number,
  ): Promise<{ regraded: number; reservations: AttemptRow[] }> {
    const stale = await this.#db.transaction().execute(async (trx) => {
      const returned = await trx
        .updateTable('attempts')
        .set({
          status: 'in_progress',
          submitted_at: null,
          grading_beat_at: null,
          grading_error: 'The process that graded ended part-way',
        })
        .where('status', '=', 'grading')
        .where((eb) =>
          eb.or([
            eb('grading_beat_at', '<', sql<Date>`now() - make_interval(secs => ${gradingBeatSeconds})`),
            eb('process_id', 'in', [...gone, 0]),
          ]),
        )
        .returning('id')
        .execute();
      await dropResults(trx, returned);
      return returned;
    });
    const reservations = await this.#db
      .selectFrom('attempts')
      .selectAll()
      .where('status', '=', 'starting')
      .where((eb) =>
        eb.or([
          eb('created_at', '<', sql<Date>`now() - make_interval(secs => ${startingSeconds})`),
          eb('process_id', 'in', [...gone, 0]),
        ]),
      )
      .execute();
    return { regraded: stale.length, reservations };
  }

  /** Of these attempts, those that need no container any more. */
  async settled(ids: readonly number[]): Promise<Set<number>> {
    if (ids.length === 0) return new Set();
    const rows = await this.#db
      .selectFrom('attempts')
      .select('id')
      .where('id', 'in', ids)
      .where('status', 'in', unsettled)
      .execute();
    const active = new Set(rows.map(({ id }) => id));
    return new Set(ids.filter((id) => !active.has(id)));
  }
}

const gradedColumns = ['title', 'order_index', 'points', 'points_earned', 'passed', 'output'] as const;

/**
 * Deletes the results of attempts whose grading came to no end. In a statement of its own, after the one that changes their state:
 * that one waits for results that are being written, and only a later statement sees them.
 */
async function dropResults(trx: Transaction<Tables>, attempts: readonly { id: number }[]): Promise<void> {
  if (attempts.length === 0) return;
  const ids = attempts.map(({ id }) => id);
  await trx.deleteFrom('task_results').where('attempt_id', 'in', ids).execute();
}

/** A task that was deleted between two gradings of an attempt counts no more. */
async function dropOtherResults(trx: Transaction<Tables>, attemptId: number, taskIds: readonly number[]) {
  await trx
    .deleteFrom('task_results')
    .where('attempt_id', '=', attemptId)
    .where('task_id', 'not in', [...taskIds, 0])
    .execute();
}

const expiry = (minutes: number | null) =>
  minutes === null ? null : sql<Date>`now() + make_interval(mins => ${minutes})`;

async function logActivity(trx: Transaction<Tables>, attempt: AttemptRow, type: string): Promise<void> {
  const entity_id = attempt.exam_id ?? attempt.laboratory_id;
  await trx
    .insertInto('activity_log')
    .values({
      user_id: attempt.user_id,
      actor_id: attempt.user_id,
      type,
      title: attempt.title,
      entity_type: attempt.kind,
      entity_id,
    })
    .execute();
}
