import type { Transaction } from 'kysely';
import { logActivity } from '../../database/activity-log.ts';
import type { Tables } from '../../database/tables.ts';
import type { Caller } from '../../http/access/access.ts';
import type { OwnSession, Participants } from './access-store.ts';

/** An entry of the activity log about a session. */
export async function logSession(
  trx: Transaction<Tables>,
  { id: actorId }: Caller,
  type: string,
  { session: { id, title }, of }: { session: Pick<OwnSession['session'], 'id' | 'title'>; of: Participants },
  { userId, ...details }: Record<string, unknown> & { userId?: number },
): Promise<void> {
  const all = { ...(of.class ? { class: of.class.name } : {}), ...details };
  await logActivity(trx, {
    ...{ actorId, type, title, entityType: 'exam_session', entityId: id, details: all },
    ...(userId === undefined ? {} : { userId }),
  });
}
