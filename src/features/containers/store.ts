import { type InsertObject, type Selectable, sql } from 'kysely';
import { logAct } from '../../database/administrative-acts.ts';
import type { Database } from '../../database/connect.ts';
import type {
  ContainerKind,
  ContainersTable,
  SandboxTemplatesTable,
  StopReason,
  Tables,
} from '../../database/tables.ts';
import { Conflict } from '../../errors.ts';
import { keepRoom, lockRoom, type RoomLimits, takeRoom } from './room-store.ts';

export type ContainerRow = Selectable<ContainersTable>;
export type TemplateRow = Selectable<SandboxTemplatesTable>;

export type Claim = { image: string; kind: ContainerKind; name: string; userId: number; attemptId: number };

export type UsedContainer = Pick<ContainerRow, 'id' | 'name' | 'full_at'>;

/** What a container has used of its disk, as far as it is known: bytes of its own layer, files and folders in it. */
export type DiskUse = { bytes?: number; files?: number };

export type Removal = { actorId?: number; known?: Pick<ContainerRow, 'status'> };

/** A container's record before there is a container, and what gives way to it: that is stopped or removed on the engine first. */
export type Reserved = { row: ContainerRow; gaveWay: ContainerRow[] };

/** Of an image: how many wait or are being made (`warm`), how many of them are done (`ready`), and whether an exam wants them. */
export type WarmCount = { image: string; active: boolean; warm: number; ready: number };

/** The service's records of containers. A row is written before its container is made and goes after it. */
export class ContainerStore {
  readonly #db: Database;
  readonly #processId: number | null;
  readonly #room: RoomLimits;

  /** @param processId of who makes containers with it; without one what it leaves behind is only known by its age */
  constructor(db: Database, processId: number | null, room: RoomLimits) {
    this.#db = db;
    this.#processId = processId;
    this.#room = room;
  }

  async installationId(): Promise<string> {
    return (await this.#db.selectFrom('installation').select('id').executeTakeFirstOrThrow()).id;
  }

  /** By the database's clock. */
  async now(): Promise<Date> {
    const { rows } = await sql<{ now: Date }>`select now() as now`.execute(this.#db);
    return rows[0]?.now ?? new Date();
  }

  async byId(id: number): Promise<ContainerRow | undefined> {
    return await this.#visible().where('id', '=', id).executeTakeFirst();
  }

  async byAttempt(attemptId: number): Promise<ContainerRow | undefined> {
    return await this.#visible().where('attempt_id', '=', attemptId).executeTakeFirst();
  }

  async sandboxesOf(userId: number): Promise<ContainerRow[]> {
    return await this.#visible().where('user_id', '=', userId).where('kind', '=', 'sandbox').orderBy('slot').execute();
  }

  /** Everything that may exist on the engine, for the reconciler. */
  async all(): Promise<ContainerRow[]> {
    return await this.#db.selectFrom('containers').selectAll().orderBy('id').execute();
  }

  /**
   * Reserves the lowest free of a user's sandbox slots.
   * @throws Conflict when all are taken, Unavailable without room
   */
  async reserveSandbox(userId: number, quota: number, template: TemplateRow, maxHours: number): Promise<Reserved> {
    return await this.#db.transaction().execute(async (trx) => {
      await lockRoom(trx);
      const own = trx.selectFrom('containers').select('slot').where('user_id', '=', userId);
      const slots = await own.where('kind', '=', 'sandbox').where('status', '<>', 'removing').execute();
      const taken = new Set(slots.map(({ slot }) => slot));
      const slot = Array.from({ length: quota }, (_, index) => index + 1).find((free) => !taken.has(free));
      if (slot === undefined)
        throw new Conflict('too_many_sandboxes', `You have ${quota} sandboxes already; delete one first`);
      const gaveWay = [...(await takeRoom(trx, this.#room, 'sandbox')), ...(await keepRoom(trx, this.#room))];
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
      return { row, gaveWay };
    });
  }

  /** @throws Unavailable without room */
  async reserveForAttempt(claim: Claim, expiresAt: Date | null): Promise<Reserved> {
    const { name, userId: user_id, kind, image, attemptId: attempt_id } = claim;
    return await this.#reserve('attempt', { name, user_id, kind, image, attempt_id, expires_at: expiresAt });
  }

  /** Of nobody, for an author's scripts. @param minutes after which it is taken for forgotten. @throws Unavailable without room */
  async reserveTrial(name: string, image: string, minutes: number): Promise<Reserved> {
    const expires_at = sql<Date>`now() + make_interval(mins => ${minutes})`;
    return await this.#reserve('trial', { name, kind: 'trial', image, expires_at });
  }

  /**
   * A stopped sandbox is to run again, and takes room for it. Its record says that it runs.
   * @returns undefined where it is not stopped, or was stopped for good
   * @throws Unavailable without room
   */
  async reserveStart(id: number): Promise<Reserved | undefined> {
    return await this.#db.transaction().execute(async (trx) => {
      await lockRoom(trx);
      const stopped = trx.selectFrom('containers').select('id').where('id', '=', id).where('status', '=', 'stopped');
      if (!(await stopped.where('full_at', 'is', null).forUpdate().executeTakeFirst())) return undefined;
      const gaveWay = await takeRoom(trx, this.#room, 'sandbox');
      const now = sql<Date>`now()`;
      const row = await trx
        .updateTable('containers')
        .set({ status: 'running', started_at: now, stopped_at: null, stop_reason: null, last_used_at: now })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow();
      return { row, gaveWay };
    });
  }

  /**
   * @returns undefined where an image has as many as it should: another process was quicker
   * @throws Unavailable without room
   */
  async reserveWarm(image: string, wanted: number): Promise<ContainerRow | undefined> {
    return await this.#db.transaction().execute(async (trx) => {
      await lockRoom(trx);
      const { count } = await trx
        .selectFrom('containers')
        .select(sql<number>`count(*)::int`.as('count'))
        .where('image', '=', image)
        .where('status', 'in', ['warm', 'warming'])
        .executeTakeFirstOrThrow();
      if (count >= wanted) return undefined;
      await takeRoom(trx, this.#room, 'warm');
      return await trx
        .insertInto('containers')
        .values({
          name: sql<string>`'warm-' || gen_random_uuid()`,
          kind: 'exam',
          image,
          status: 'warming',
          process_id: this.#processId,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
    });
  }

  /** Takes one warm container of an image for an attempt; of several processes at most one gets it. */
  async claimWarm({ image, kind, name, userId, attemptId }: Claim): Promise<ContainerRow | undefined> {
    return await this.#db
      .updateTable('containers')
      .set({
        status: 'running',
        kind,
        name,
        user_id: userId,
        attempt_id: attemptId,
        started_at: sql<Date>`now()`,
        last_used_at: sql<Date>`now()`,
      })
      .where('id', '=', (eb) =>
        eb
          .selectFrom('containers')
          .select('id')
          .where('status', '=', 'warm')
          .where('image', '=', image)
          .orderBy('id')
          .limit(1)
          .forUpdate()
          .skipLocked(),
      )
      .returningAll()
      .executeTakeFirst();
  }

  /** Only now a sandbox is in its user's activity. @returns the row as it is now, or undefined when it was given up meanwhile */
  async setMade(id: number, engineRef: string, status: 'running' | 'warm'): Promise<ContainerRow | undefined> {
    return await this.#db.transaction().execute(async (trx) => {
      const row = await trx
        .updateTable('containers')
        .set({ engine_ref: engineRef, status, started_at: sql<Date>`now()`, last_used_at: sql<Date>`now()` })
        .where('id', '=', id)
        .where('status', 'in', ['creating', 'warming'])
        .returningAll()
        .executeTakeFirst();
      if (row?.kind === 'sandbox' && row.user_id !== null) await this.#log(trx, row.user_id, 'container_create', row);
      return row;
    });
  }

  /** @param reason of a stop that was not the user's wish */
  async setRunning(
    id: number,
    isRunning: boolean,
    reason: StopReason | null = null,
  ): Promise<ContainerRow | undefined> {
    const now = sql<Date>`now()`;
    return await this.#db
      .updateTable('containers')
      .set(
        isRunning
          ? { status: 'running', started_at: now, stopped_at: null, stop_reason: null, last_used_at: now }
          : { status: 'stopped', stopped_at: now, stop_reason: reason },
      )
      .where('id', '=', id)
      .where('status', 'in', ['running', 'stopped'])
      .$if(isRunning, (query) => query.where('full_at', 'is', null))
      .returningAll()
      .executeTakeFirst();
  }

  /** Of these containers on the engine those that belong to somebody. */
  async usedByRef(refs: readonly string[]): Promise<Map<string, UsedContainer>> {
    if (refs.length === 0) return new Map();
    const rows = await this.#db
      .selectFrom('containers')
      .select(['id', 'name', 'full_at', 'engine_ref'])
      .where('engine_ref', 'in', refs)
      .where('user_id', 'is not', null)
      .where('status', 'in', ['running', 'stopped'])
      .execute();
    return new Map(rows.map(({ engine_ref, ...row }) => [engine_ref ?? '', row]));
  }

  /**
   * Records, once, that a container has filled its disk, so that it is stopped and stays so.
   * @returns false where it is not to be stopped now: it is gone, or its attempt is being graded in it
   */
  async setFull(id: number, use: DiskUse): Promise<boolean> {
    return await this.#db.transaction().execute(async (trx) => {
      const row = await trx
        .selectFrom('containers')
        .selectAll()
        .where('id', '=', id)
        .where('status', 'in', ['running', 'stopped'])
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('attempts')
                .whereRef('attempts.id', '=', 'containers.attempt_id')
                .where('attempts.status', '=', 'grading'),
            ),
          ),
        )
        .forUpdate()
        .executeTakeFirst();
      if (!row) return false;
      if (row.full_at !== null) return true;
      const now = sql<Date>`now()`;
      await trx
        .updateTable('containers')
        .set({ status: 'stopped', stopped_at: now, stop_reason: 'disk', full_at: now })
        .where('id', '=', id)
        .execute();
      if (row.user_id !== null) await this.#log(trx, row.user_id, 'container_full', row, null, use);
      return true;
    });
  }

  async setExpiry(id: number, expiresAt: Date | null): Promise<void> {
    await this.#db.updateTable('containers').set({ expires_at: expiresAt }).where('id', '=', id).execute();
  }

  async touch(id: number): Promise<void> {
    await this.#db.updateTable('containers').set({ last_used_at: sql<Date>`now()` }).where('id', '=', id).execute();
  }

  async isStudent(userId: number): Promise<boolean> {
    const user = this.#db.selectFrom('users').select('role').where('id', '=', userId);
    return (await user.executeTakeFirst())?.role === 'student';
  }

  async logWatch(watcherId: number, id: number): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      const row = await trx.selectFrom('containers').selectAll().where('id', '=', id).executeTakeFirst();
      if (!row) return;
      await logAct(trx, {
        actorId: watcherId,
        userId: row.user_id,
        type: 'terminal_watch',
        title: row.name,
        entityType: 'container',
        entityId: id,
        details: { kind: row.kind, attempt_id: row.attempt_id },
      });
    });
  }

  /**
   * From then on the container is gone for everybody but the one who removes it.
   * @param actorId logs who deleted a sandbox
   * @param known only if the row still says what it said when somebody decided to remove it
   */
  async setRemoving(id: number, { actorId, known }: Removal = {}): Promise<ContainerRow | undefined> {
    return await this.#db.transaction().execute(async (trx) => {
      const row = await trx
        .updateTable('containers')
        .set({ status: 'removing', name: sql<string>`'removing-' || uid` })
        .where('id', '=', id)
        .where('status', '<>', 'removing')
        .$if(known !== undefined, (query) => query.where('status', '=', known?.status ?? 'removing'))
        .returningAll()
        .executeTakeFirst();
      if (row && actorId !== undefined) await this.#log(trx, row.user_id ?? actorId, 'container_delete', row, actorId);
      return row;
    });
  }

  async forget(id: number): Promise<void> {
    await this.#db.deleteFrom('containers').where('id', '=', id).execute();
  }

  /** Sandboxes that nobody has used for a while, or that are older than a sandbox gets. */
  async outdatedSandboxes(idleMinutes: number): Promise<{ idle: ContainerRow[]; old: ContainerRow[] }> {
    const sandboxes = this.#visible().where('kind', '=', 'sandbox');
    const old = await sandboxes.where('expires_at', '<=', sql<Date>`now()`).execute();
    const idle = await sandboxes
      .where('status', '=', 'running')
      .where('expires_at', '>', sql<Date>`now()`)
      .where('last_used_at', '<', sql<Date>`now() - make_interval(mins => ${idleMinutes})`)
      .execute();
    return { idle, old };
  }

  /** How many containers an image has warm or warming, and how many there should be: one pool for each image of an active exam. */
  async warmCounts(): Promise<WarmCount[]> {
    const { rows } = await sql<WarmCount>`
      with wanted as (select distinct container_image as image from exams where is_active
          and exists (select from exam_tasks where exam_id = exams.id)),
        present as (select image, count(*)::int as warm,
          (count(*) filter (where status = 'warm'))::int as ready from containers where status in ('warm', 'warming') group by image)
      select coalesce(wanted.image, present.image) as image, wanted.image is not null as active, coalesce(warm, 0) as warm,
        coalesce(ready, 0) as ready
      from wanted full join present using (image) order by 1`.execute(this.#db);
    return rows;
  }

  async warmOf(image: string, limit: number): Promise<ContainerRow[]> {
    return await this.#db
      .selectFrom('containers')
      .selectAll()
      .where('image', '=', image)
      .where('status', '=', 'warm')
      // The youngest: the next attempt gets the oldest.
      .orderBy('id', 'desc')
      .limit(limit)
      .execute();
  }

  /** All that wait for an attempt. @param isOwn only those that this process has made */
  async warm({ isOwn }: { isOwn: boolean }): Promise<ContainerRow[]> {
    return await this.#db
      .selectFrom('containers')
      .selectAll()
      .where('status', '=', 'warm')
      .$if(isOwn, (query) => query.where('process_id', '=', this.#processId))
      .execute();
  }

  async templates(includeInactive: boolean): Promise<TemplateRow[]> {
    const query = this.#db.selectFrom('sandbox_templates').selectAll().orderBy('order_index').orderBy('id');
    return await (includeInactive ? query : query.where('is_active', '=', true)).execute();
  }

  #visible() {
    return this.#db.selectFrom('containers').selectAll().where('status', 'not in', ['removing', 'warm', 'warming']);
  }

  async #reserve(
    purpose: 'attempt' | 'trial',
    values: Omit<InsertObject<Tables, 'containers'>, 'status' | 'process_id'>,
  ): Promise<Reserved> {
    return await this.#db.transaction().execute(async (trx) => {
      await lockRoom(trx);
      const gaveWay = await takeRoom(trx, this.#room, purpose);
      const row = await trx
        .insertInto('containers')
        .values({ ...values, status: 'creating', process_id: this.#processId })
        .returningAll()
        .executeTakeFirstOrThrow();
      return { row, gaveWay };
    });
  }

  async #log(
    db: Pick<Database, 'insertInto'>,
    userId: number,
    type: string,
    row: ContainerRow,
    actorId: number | null = userId,
    details?: Record<string, unknown>,
  ): Promise<void> {
    await db
      .insertInto('activity_log')
      .values({
        user_id: userId,
        actor_id: actorId,
        type,
        title: row.name,
        entity_type: 'container',
        entity_id: row.id,
        ...(details ? { details: JSON.stringify(details) } : {}),
      })
      .execute();
  }
}
