import { type InsertObject, type Selectable, sql, type Transaction } from 'kysely';
import { logActivity } from '../../database/activity-log.ts';
import type { Database } from '../../database/connection/connect.ts';
import type { ContainerKind, ContainersTable, StudentAccount, Tables } from '../../database/tables.ts';
import { ConflictError } from '../../errors.ts';
import {
  type CapacityLimits,
  evictStoppedSandboxes,
  findCapacity,
  lockCapacity,
  reserveCapacity,
} from './capacity-store.ts';
import { type ContainerRow, entityOf } from './store.ts';
import type { TemplateRow } from './template-store.ts';

/**
 * A container's record before the container exists, and the containers that yield to it. Those are stopped or removed on the engine
 * first.
 */
export type Reserved = { row: ContainerRow; yielded: ContainerRow[] };

type NewContainer = Omit<InsertObject<Tables, 'containers'>, 'status' | 'process_id'>;

/** Records of containers that will run, within the available room. */
export class ReservationStore {
  readonly #db: Database;
  readonly #processId: number | null;
  readonly #room: CapacityLimits;

  /** @param processId of the process that creates containers; without one, only age identifies its unfinished containers */
  constructor(db: Database, processId: number | null, room: CapacityLimits) {
    this.#db = db;
    this.#processId = processId;
    this.#room = room;
  }

  /**
   * Reserves the lowest free sandbox slot of a user.
   * @throws ConflictError when all are taken, UnavailableError without room
   */
  async reserveSandbox(userId: number, quota: number, template: TemplateRow, maxHours: number): Promise<Reserved> {
    return await this.#db.transaction().execute(async (trx) => {
      await lockCapacity(trx);
      const own = trx.selectFrom('containers').select('slot').where('user_id', '=', userId);
      const slots = await own.where('kind', '=', 'sandbox').where('status', '<>', 'removing').execute();
      const taken = new Set(slots.map(({ slot }) => slot));
      const slot = Array.from({ length: quota }, (_, index) => index + 1).find((free) => !taken.has(free));
      if (slot === undefined)
        throw new ConflictError('too_many_sandboxes', `You have ${quota} sandboxes already; delete one first`);
      const yielded = [
        ...(await reserveCapacity(trx, this.#room, 'sandbox')),
        ...(await evictStoppedSandboxes(trx, this.#room)),
      ];
      const row = await trx
        .insertInto('containers')
        .values({
          name: `user-${userId}-sandbox${slot === 1 ? '' : `-${slot}`}`,
          user_id: userId,
          kind: 'sandbox',
          image: template.image,
          template_id: template.id,
          slot,
          status: 'creating',
          process_id: this.#processId,
          expires_at: sql<Date>`now() + make_interval(hours => ${maxHours})`,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      return { row, yielded };
    });
  }

  /** No other container is reserved until the end of the transaction, in any process. */
  async lock(trx: Transaction<Tables>): Promise<void> {
    await lockCapacity(trx);
  }

  /**
   * Reserves the container of an attempt, under the lock: a warm one, or room for a new one.
   * @param isNewAllowed false: a warm one only
   * @returns undefined without room; then nothing has changed
   */
  async place(
    trx: Transaction<Tables>,
    claim: Claim,
    { isNewAllowed }: { isNewAllowed: boolean },
  ): Promise<Reserved | undefined> {
    const warm = await claimWarm(trx, claim);
    if (warm) return { row: warm, yielded: [] };
    const yielded = isNewAllowed ? await findCapacity(trx, this.#room, 'attempt') : undefined;
    if (!yielded) return undefined;
    return { row: await this.#insert(trx, valuesOf(claim)), yielded };
  }

  /**
   * Reserves a new container of a certain image for an attempt that has had one as far as those who wait leave room.
   * @throws UnavailableError without room
   */
  async reserveAgain(
    trx: Transaction<Tables>,
    { imageId, ...claim }: Claim & { imageId: string | null },
  ): Promise<Reserved> {
    await lockCapacity(trx);
    const yielded = await reserveCapacity(trx, this.#room, 'trial');
    return { row: await this.#insert(trx, { ...valuesOf(claim), image_id: imageId }), yielded };
  }

  /** Without an owner, for an author's scripts. @param minutes after which it counts as abandoned. @throws UnavailableError without room */
  async reserveTrial(
    name: string,
    { image, account, imageId = null }: { image: string; account: StudentAccount; imageId?: string | null },
    minutes: number,
  ): Promise<Reserved> {
    const expires_at = sql<Date>`now() + make_interval(mins => ${minutes})`;
    return await this.#reserve('trial', { name, kind: 'trial', image, image_id: imageId, account, expires_at });
  }

  /**
   * Reserves room to restart a stopped sandbox. Its record then says that it runs.
   * @returns undefined where it is not stopped, or was stopped for good
   * @throws UnavailableError without room
   */
  async reserveStart(id: number): Promise<Reserved | undefined> {
    return await this.#db.transaction().execute(async (trx) => {
      await lockCapacity(trx);
      const stopped = trx.selectFrom('containers').select('id').where('id', '=', id).where('status', '=', 'stopped');
      if (!(await stopped.where('full_at', 'is', null).forUpdate().executeTakeFirst())) return undefined;
      const yielded = await reserveCapacity(trx, this.#room, 'sandbox');
      const now = sql<Date>`now()`;
      const row = await trx
        .updateTable('containers')
        .set({ status: 'running', started_at: now, stopped_at: null, stop_reason: null, last_used_at: now })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow();
      return { row, yielded };
    });
  }

  /**
   * Reserves a new sandbox in the record of a running or stopped one, which keeps its id, name and place. A record of its own stands for
   * the former container until that is removed. Nothing has changed after an error.
   * @returns undefined where it neither runs nor is stopped
   * @throws UnavailableError without room for a stopped one
   */
  async reserveReset(
    id: number,
    template: TemplateRow,
    maxHours: number,
  ): Promise<(Reserved & { former: ContainerRow }) | undefined> {
    return await this.#db.transaction().execute(async (trx) => {
      await lockCapacity(trx);
      const before = await trx
        .selectFrom('containers')
        .selectAll()
        .where('id', '=', id)
        .where('kind', '=', 'sandbox')
        .where('status', 'in', ['running', 'stopped'])
        .forUpdate()
        .executeTakeFirst();
      if (!before || before.user_id === null) return undefined;
      const yielded = before.status === 'stopped' ? await reserveCapacity(trx, this.#room, 'sandbox') : [];
      const row = await trx
        .updateTable('containers')
        .set(this.#asNew(template, maxHours))
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow();
      const former = await trx
        .insertInto('containers')
        .values({
          ...{ uid: before.uid, name: `removing-${before.uid}`, user_id: before.user_id, kind: 'sandbox' },
          ...{ image: before.image, slot: before.slot, engine_ref: before.engine_ref, status: 'removing' },
          ...{ lost_uid: before.lost_uid, process_id: this.#processId },
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      // Their holders are in the former container.
      await trx.deleteFrom('terminals').where('container_id', '=', id).execute();
      const { user_id: userId } = before;
      await logActivity(trx, { ...entityOf(before), actorId: userId, userId, type: 'container_delete' });
      return { row, yielded, former };
    });
  }

  /** Nothing remains of the container that the record was of. */
  #asNew({ id, image }: TemplateRow, maxHours: number) {
    const nothing = null;
    return {
      ...{ uid: sql<string>`gen_random_uuid()`, image, template_id: id, status: 'creating' as const },
      ...{ process_id: this.#processId, engine_ref: nothing, image_id: nothing, setup_key: nothing },
      ...{ started_at: nothing, stopped_at: nothing, stop_reason: nothing, full_at: nothing },
      ...{ home_due_at: nothing, home_saved_at: nothing, home_mark: nothing, home_kept_at: nothing },
      ...{ lost_uid: nothing, lost_at: nothing, replaced_at: nothing },
      ...{ created_at: sql<Date>`now()`, last_used_at: sql<Date>`now()` },
      expires_at: sql<Date>`now() + make_interval(hours => ${maxHours})`,
    };
  }

  async #reserve(purpose: 'attempt' | 'trial', values: NewContainer): Promise<Reserved> {
    return await this.#db.transaction().execute(async (trx) => {
      await lockCapacity(trx);
      const yielded = await reserveCapacity(trx, this.#room, purpose);
      return { row: await this.#insert(trx, values), yielded };
    });
  }

  async #insert(trx: Transaction<Tables>, values: NewContainer): Promise<ContainerRow> {
    return await trx
      .insertInto('containers')
      .values({ ...values, status: 'creating', process_id: this.#processId })
      .returningAll()
      .executeTakeFirstOrThrow();
  }
}

const valuesOf = ({ name, userId, kind, image, attemptId }: Claim) => ({
  ...{ name, user_id: userId, kind, image, attempt_id: attemptId },
  account: accountOf(attemptId),
});

/** The requested container of an attempt. */
type Claim = { image: string; kind: ContainerKind; name: string; userId: number; attemptId: number };

/** The account that the exam or laboratory of an attempt gave its students when the attempt started. */
const accountOf = (attemptId: number) => sql<StudentAccount>`(
  select coalesce(revision.content->>'user', assessments."user", 'student') from attempts
  left join assessment_revisions as revision on revision.id = revision_id
  left join assessments on assessments.kind = attempts.kind and assessments.id = attempts.assessment_id
  where attempts.id = ${attemptId})`;

/**
 * Claims one warm container of an image for an attempt, prepared with the set-up that the attempt has. Of several processes, at most one gets it.
 */
async function claimWarm(
  trx: Transaction<Tables>,
  { image, kind, name, userId, attemptId }: Claim,
): Promise<Selectable<ContainersTable> | undefined> {
  return await trx
    .updateTable('containers')
    .set({
      status: 'running',
      kind,
      name,
      user_id: userId,
      attempt_id: attemptId,
      account: accountOf(attemptId),
      started_at: sql<Date>`now()`,
      last_used_at: sql<Date>`now()`,
    })
    .where('id', '=', (eb) =>
      eb
        .selectFrom('containers')
        .select('id')
        .where('status', '=', 'warm')
        .where('image', '=', image)
        .where(
          sql<boolean>`setup_key is not distinct from
            (select revision.setup_key from attempts join assessment_revisions as revision on revision.id = revision_id
              where attempts.id = ${attemptId})`,
        )
        // A set-up with the values of an attempt is of that attempt alone.
        .where(
          sql<boolean>`(setup_key is null or exists (select from attempts where id = ${attemptId} and variant is null))`,
        )
        .orderBy('id')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .executeTakeFirst();
}
