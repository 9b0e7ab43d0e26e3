import type { Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/** What an administrator did. `old` and `new` hold what changed; passwords never get here. */
export type AdministrativeAct = {
  actorId: number | null;
  /** Such as `admin_user_role`. */
  type: string;
  title: string;
  entityType: string;
  entityId: number | null;
  /** Whom it concerns, where it is somebody. */
  userId?: number | null;
  details?: Record<string, unknown>;
};

/** Longest text that an entry keeps; scripts and descriptions can be far longer. */
const maxText = 500;

/** Writes the entry of the activity log, in the transaction of the act itself: neither is ever there without the other. */
export async function logAct(trx: Transaction<Tables>, act: AdministrativeAct): Promise<void> {
  await trx
    .insertInto('activity_log')
    .values({
      actor_id: act.actorId,
      user_id: act.userId ?? null,
      type: act.type,
      title: act.title,
      entity_type: act.entityType,
      entity_id: act.entityId,
      details: act.details === undefined ? null : JSON.stringify(act.details, shorten),
    })
    .execute();
}

/** The fields that differ, as they were and as they are; undefined where none does. */
export function differences(
  before: object,
  after: object,
): { old: Record<string, unknown>; new: Record<string, unknown> } | undefined {
  const was = before as Record<string, unknown>;
  const changed = Object.entries(after).filter(([name, value]) => JSON.stringify(was[name]) !== JSON.stringify(value));
  if (changed.length === 0) return undefined;
  return { old: Object.fromEntries(changed.map(([name]) => [name, was[name]])), new: Object.fromEntries(changed) };
}

const shorten = (_key: string, value: unknown): unknown =>
  typeof value === 'string' && value.length > maxText
    ? `${value.slice(0, maxText).toWellFormed()}... (${value.length} characters)`
    : value;
