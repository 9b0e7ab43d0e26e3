import { type RawBuilder, sql } from 'kysely';

/** Whether nobody works in the container of an attempt of the table `attempts` now: its clock stands still. */
export const isHeld: RawBuilder<boolean> = sql<boolean>`(attempts.status in ('in_progress', 'grading')
  and attempts.paused_at is not null)`;
