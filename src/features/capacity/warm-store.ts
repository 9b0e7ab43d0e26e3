import { sql } from 'kysely';
import type { Database } from '../../database/connection/connect.ts';
import { type CapacityLimits, lockCapacity, reserveCapacity } from './capacity-store.ts';
import { expectedStarts, isPreparable } from './expected-store.ts';
import type { Reserved } from './reservation-store.ts';
import type { ContainerRow } from './store.ts';

/** What a warm container is for. */
export type WarmKind = { image: string; setup_key: string | null };
/**
 * Counts for an image and a set-up: containers that wait or are being created (`warm`), those that are ready (`ready`), the students whom
 * exam sessions expect (`expected`), and whether an exam uses it.
 */
export type WarmCount = WarmKind & { active: boolean; expected: number; warm: number; ready: number };

/** Records of the warm pool: containers that wait for an attempt. */
export class WarmStore {
  readonly #db: Database;
  readonly #processId: number | null;
  readonly #limits: CapacityLimits;

  /** @param processId of the process that creates containers; without one, only age identifies its unfinished containers */
  constructor(db: Database, processId: number | null, limits: CapacityLimits) {
    this.#db = db;
    this.#processId = processId;
    this.#limits = limits;
  }

  /**
   * @param isExpected a student will start with it: unused sandboxes yield
   * @returns undefined where there is the wanted number: another process was faster
   * @throws UnavailableError without room
   */
  async reserveWarm(
    { image, setup_key }: WarmKind,
    { wanted, isExpected }: { wanted: number; isExpected: boolean },
  ): Promise<Reserved | undefined> {
    return await this.#db.transaction().execute(async (trx) => {
      await lockCapacity(trx);
      const { count } = await trx
        .selectFrom('containers')
        .select(sql<number>`count(*)::int`.as('count'))
        .where(isOfKind({ image, setup_key }))
        .where('status', 'in', ['warm', 'warming'])
        .executeTakeFirstOrThrow();
      if (count >= wanted) return undefined;
      const yielded = await reserveCapacity(trx, this.#limits, isExpected ? 'expected' : 'warm');
      const row = await trx
        .insertInto('containers')
        .values({
          name: sql<string>`'warm-' || gen_random_uuid()`,
          kind: 'exam',
          ...{ image, setup_key },
          status: 'warming',
          process_id: this.#processId,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      return { row, yielded };
    });
  }

  /** The actual and the wanted number of warm containers. Each image of an active exam has one pool for each set-up. */
  async warmCounts(): Promise<WarmCount[]> {
    const { rows } = await sql<WarmCount>`
      with used as (select distinct container_image as image, setup_key_of(kind, id) as setup_key from assessments
          where kind = 'exam' and is_active and ${isPreparable('assessments')}
            and exists (select from assessment_tasks as task where task.assessment_kind = 'exam' and task.assessment_id = assessments.id)),
        expected as (select image, setup_key, sum(expected)::int as expected
          from ${expectedStarts(this.#limits)} as starts group by image, setup_key),
        present as (select image, setup_key, count(*)::int as warm,
          (count(*) filter (where status = 'warm'))::int as ready from containers where status in ('warm', 'warming')
          group by image, setup_key)
      select image, setup_key, bool_or(active) as active, sum(expected)::int as expected, sum(warm)::int as warm, sum(ready)::int as ready
      from (
        select image, setup_key, true as active, 0 as expected, 0 as warm, 0 as ready from used
        union all select image, setup_key, false, expected, 0, 0 from expected
        union all select image, setup_key, false, 0, warm, ready from present
      ) as kinds group by image, setup_key order by image, setup_key`.execute(this.#db);
    return rows;
  }

  async warmOf(kind: WarmKind, limit: number): Promise<ContainerRow[]> {
    return await this.#db
      .selectFrom('containers')
      .selectAll()
      .where(isOfKind(kind))
      .where('status', '=', 'warm')
      // The newest, because the next attempt gets the oldest.
      .orderBy('id', 'desc')
      .limit(limit)
      .execute();
  }

  /** All containers that wait for an attempt. @param isOwn only those that this process has created */
  async warm({ isOwn }: { isOwn: boolean }): Promise<ContainerRow[]> {
    return await this.#db
      .selectFrom('containers')
      .selectAll()
      .where('status', '=', 'warm')
      .$if(isOwn, (query) => query.where('process_id', '=', this.#processId))
      .execute();
  }
}

const isOfKind = ({ image, setup_key }: WarmKind) =>
  sql<boolean>`image = ${image} and setup_key is not distinct from ${setup_key}`;
