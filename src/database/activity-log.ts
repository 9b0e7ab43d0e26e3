import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/**
 * An entry of the activity log. For a change, `old` and `new` in the details hold the changed fields. Passwords are never logged.
 */
export type Activity = {
  /** Absent for actions of the service itself. */
  actorId?: number | null;
  /** Such as `lesson_complete` or `admin_user_role`. */
  type: string;
  title: string;
  entityType: string;
  entityId: number | null;
  /** The user whose activity shows the entry. */
  userId?: number | null;
  details?: Record<string, unknown> | undefined;
};

/** Maximum length of a text in an entry; scripts and descriptions can be far longer. */
const maxText = 500;

/** Writes entries of the activity log in the transaction of the action, so that neither exists without the other. */
export async function logActivity(trx: Transaction<Tables>, ...activities: readonly Activity[]): Promise<void> {
  if (activities.length === 0) return;
  const rows = activities.map(({ actorId, userId, type, title, entityType, entityId, details }) => ({
    actor_id: actorId ?? null,
    user_id: userId ?? null,
    type,
    title,
    entity_type: entityType,
    entity_id: entityId,
    details: details === undefined ? null : JSON.stringify(details, shorten),
  }));
  await trx.insertInto('activity_log').values(rows).execute();
}

/** The old and new values of the fields that differ; undefined if none does. */
export function differences(
  before: object,
  after: object,
): { old: Record<string, unknown>; new: Record<string, unknown> } | undefined {
  const was = before as Record<string, unknown>;
  // The database has the keys of a JSON value in another order.
  const isSame = (one: unknown, other: unknown): boolean =>
    JSON.stringify(one) === JSON.stringify(other) || isDeepStrictEqual(one, other);
  const changed = Object.entries(after).filter(([name, value]) => !isSame(was[name], value));
  if (changed.length === 0) return undefined;
  return { old: Object.fromEntries(changed.map(([name]) => [name, was[name]])), new: Object.fromEntries(changed) };
}

const shorten = (_key: string, value: unknown): unknown =>
  typeof value === 'string' && value.length > maxText
    ? `${value.slice(0, maxText).toWellFormed()}... (${value.length} characters)`
    : value;
