import { type Selectable, sql } from 'kysely';
import type { Database } from '../../database/connection/connect.ts';
import type { ContainerKind, ContainersTable } from '../../database/tables.ts';

/** The requested container of an attempt. */
export type Claim = { image: string; kind: ContainerKind; name: string; userId: number; attemptId: number };

/**
 * Claims one warm container of an image for an attempt, prepared with the set-up that the attempt has. Of several processes, at most one gets it.
 * @param db may be a transaction
 */
export async function claimWarm(
  db: Pick<Database, 'updateTable'>,
  { image, kind, name, userId, attemptId }: Claim,
): Promise<Selectable<ContainersTable> | undefined> {
  return await db
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
        .where(
          sql<boolean>`setup_key is not distinct from
            (select state.setup_key from attempts join subject_states as state on state.id = state_id where attempts.id = ${attemptId})`,
        )
        .orderBy('id')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .executeTakeFirst();
}
