import { type Selectable, sql, type Transaction } from 'kysely';
import { logActivity } from '../../database/activity-log.ts';
import { isWaiting } from '../../database/attempt-status.ts';
import { lock } from '../../database/locks.ts';
import type { ContainersTable, Tables } from '../../database/tables.ts';
import { UnavailableError } from '../../errors.ts';
import { type ExpectedStarts, expectedStarts } from './expected-store.ts';

type ContainerRow = Selectable<ContainersTable>;

export type CapacityLimits = ExpectedStarts & {
  /** Containers that run or are being created. A stopped one uses disk, but neither memory nor processors. */
  max: number;
  /** The percentage of `max` that is reserved from sandboxes. */
  examReservePercent: number;
  /** All sandboxes, including stopped ones. */
  sandboxesMax: number;
  /** A running sandbox yields after this many minutes without a terminal. */
  sandboxYieldMinutes: number;
  /** A stopped sandbox yields after this many minutes. */
  sandboxIdleMinutes: number;
};

/**
 * The purpose of a container. Attempts and trials displace unused containers. A warm container displaces none, unless a student of an exam
 * session is expected to start with it: then unused sandboxes yield.
 */
export type Purpose = 'attempt' | 'trial' | 'sandbox' | 'expected' | 'warm';

/** Until the end of the transaction no other process reserves a container. */
export async function lockCapacity(trx: Transaction<Tables>): Promise<void> {
  await lock(trx, 'capacity');
}

/** How many sandboxes may run at once. */
export function sandboxShare({ max, examReservePercent }: CapacityLimits): number {
  if (examReservePercent >= 100) return 0;
  return Math.max(1, Math.floor((max * (100 - examReservePercent)) / 100));
}

/** @see findCapacity @throws UnavailableError without room */
export async function reserveCapacity(
  trx: Transaction<Tables>,
  limits: CapacityLimits,
  purpose: Purpose,
): Promise<ContainerRow[]> {
  const yielded = await findCapacity(trx, limits, purpose);
  if (yielded) return yielded;
  const what = purpose === 'sandbox' ? 'sandboxes' : 'containers';
  throw new UnavailableError('no_capacity', `All ${what} are in use; try again later`, { retryAfter: 30 });
}

/**
 * Finds room for one more running container, under the lock. Without free room, warm containers yield to attempts and trials. Those
 * that exam sessions expect are the last, and yield to attempts only. Then unused sandboxes yield to every purpose, the longest
 * unused first. The room for queued attempts is left to them by all others.
 * @returns the containers that yield, with their new records: the caller stops or removes them on the engine. Undefined without room;
 * then nothing has changed
 */
export async function findCapacity(
  trx: Transaction<Tables>,
  limits: CapacityLimits,
  purpose: Purpose,
): Promise<ContainerRow[] | undefined> {
  const counted = await trx
    .selectFrom('containers')
    .select([
      sql<number>`count(*)::int`.as('all'),
      sql<number>`(count(*) filter (where kind = 'sandbox'))::int`.as('sandboxes'),
    ])
    .where('status', '<>', 'stopped')
    .executeTakeFirstOrThrow();
  const waiting = purpose === 'attempt' ? 0 : await waitingAttempts(trx);
  let missing = counted.all + waiting + 1 - limits.max;
  if (purpose === 'sandbox') missing = Math.max(missing, counted.sandboxes + 1 - sandboxShare(limits));
  if (missing <= 0) return [];
  const warm = purpose === 'attempt' || purpose === 'trial' ? await lockWarm(trx, limits, purpose, missing) : [];
  const unused = purpose === 'warm' ? [] : await lockUnused(trx, missing - warm.length, limits.sandboxYieldMinutes);
  if (warm.length + unused.length < missing) return undefined;
  return [...(await setRemoving(trx, warm)), ...(await stopUnused(trx, unused))];
}

/** Queued attempts that no process starts yet. Those of absent owners do not count. */
async function waitingAttempts(trx: Transaction<Tables>): Promise<number> {
  const count = sql<number>`count(*)::int`.as('count');
  return (await trx.selectFrom('attempts').select(count).where(isWaiting).executeTakeFirstOrThrow()).count;
}

/**
 * Finds room for one more sandbox among the existing ones, under the lock. The one that has been stopped longest is deleted.
 * @returns what yields, see `reserveCapacity`
 * @throws UnavailableError
 */
export async function evictStoppedSandboxes(trx: Transaction<Tables>, limits: CapacityLimits): Promise<ContainerRow[]> {
  const { count } = await trx
    .selectFrom('containers')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('kind', '=', 'sandbox')
    .where('status', '<>', 'removing')
    .executeTakeFirstOrThrow();
  const missing = count + 1 - limits.sandboxesMax;
  if (missing <= 0) return [];
  const longestStopped = trx
    .selectFrom('containers')
    .selectAll()
    .where('kind', '=', 'sandbox')
    .where('status', '=', 'stopped')
    .where('stopped_at', '<', minutesAgo(limits.sandboxIdleMinutes))
    .orderBy('stopped_at')
    .orderBy('id')
    .limit(missing)
    .forUpdate();
  const before = await longestStopped.execute();
  if (before.length < missing) {
    throw new UnavailableError('no_capacity', 'There are too many sandboxes; try again later', { retryAfter: 60 });
  }
  await logNotices(trx, 'container_evict', before);
  return await setRemoving(trx, before);
}

async function lockWarm(
  trx: Transaction<Tables>,
  limits: CapacityLimits,
  purpose: 'attempt' | 'trial',
  limit: number,
): Promise<ContainerRow[]> {
  const isExpected = sql<boolean>`exists (select from ${expectedStarts(limits)} as starts
    where starts.image = containers.image and starts.setup_key is not distinct from containers.setup_key)`;
  const warm = trx
    .selectFrom('containers')
    .selectAll()
    .where('status', '=', 'warm')
    .$if(purpose === 'trial', (some) => some.where((eb) => eb.not(isExpected)))
    .orderBy(isExpected)
    .orderBy('id')
    .limit(limit);
  // Skips a container that an attempt is taking right now.
  return await warm.forUpdate().skipLocked().execute();
}

async function lockUnused(trx: Transaction<Tables>, limit: number, minutes: number): Promise<ContainerRow[]> {
  if (limit <= 0) return [];
  return await trx
    .selectFrom('containers')
    .selectAll()
    .where('kind', '=', 'sandbox')
    .where('status', '=', 'running')
    .where('last_used_at', '<', minutesAgo(minutes))
    .orderBy('last_used_at')
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
}

async function stopUnused(trx: Transaction<Tables>, unused: readonly ContainerRow[]): Promise<ContainerRow[]> {
  if (unused.length === 0) return [];
  const ids = unused.map(({ id }) => id);
  const stopped = await trx
    .updateTable('containers')
    .set({ status: 'stopped', stopped_at: sql<Date>`now()`, stop_reason: 'room' })
    .where('id', 'in', ids)
    .returningAll()
    .execute();
  await logNotices(trx, 'container_yield', stopped);
  return stopped;
}

async function setRemoving(trx: Transaction<Tables>, rows: readonly ContainerRow[]): Promise<ContainerRow[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  return await trx
    .updateTable('containers')
    .set({ status: 'removing', name: sql<string>`'removing-' || uid` })
    .where('id', 'in', ids)
    .returningAll()
    .execute();
}

/** Users whose sandbox gave way see the reason in their activity. */
async function logNotices(
  trx: Transaction<Tables>,
  type: 'container_yield' | 'container_evict',
  rows: readonly ContainerRow[],
): Promise<void> {
  const entries = rows.map(({ id, name, user_id }) => ({
    ...{ userId: user_id, type, title: name },
    ...{ entityType: 'container', entityId: id },
  }));
  await logActivity(trx, ...entries);
}

const minutesAgo = (minutes: number) => sql<Date>`now() - make_interval(mins => ${minutes})`;
