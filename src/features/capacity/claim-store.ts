import { type Selectable, sql, type Transaction } from 'kysely';
import type { ContainerKind, ContainersTable, StudentAccount, Tables } from '../../database/tables.ts';

/** The requested container of an attempt. */
export type Claim = { image: string; kind: ContainerKind; name: string; userId: number; attemptId: number };

/** The account that the exam or laboratory of an attempt gave its students when the attempt started. */
export const accountOf = (attemptId: number) => sql<StudentAccount>`(
  select coalesce(state.content->>'user', exams."user", laboratories."user", 'student') from attempts
  left join subject_states as state on state.id = state_id
  left join exams on exams.id = attempts.exam_id left join laboratories on laboratories.id = attempts.laboratory_id
  where attempts.id = ${attemptId})`;

/**
 * Claims one warm container of an image for an attempt, prepared with the set-up that the attempt has. Of several processes, at most one gets it.
 */
export async function claimWarm(
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
