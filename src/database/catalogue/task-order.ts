import { sql, type Transaction } from 'kysely';
import { InvalidError } from '../../errors.ts';
import type { Tables } from '../tables.ts';

/**
 * Orders the tasks of an exam or a laboratory by a list of their ids.
 * @throws InvalidError unless it contains each id of `present` once
 */
export async function orderTasks(
  trx: Transaction<Tables>,
  kind: 'exam' | 'laboratory',
  present: readonly number[],
  wanted: readonly number[],
): Promise<void> {
  if (present.toSorted((a, b) => a - b).join() !== wanted.toSorted((a, b) => a - b).join()) {
    const msg = `Value error, each task of the ${kind} should be named once`;
    throw new InvalidError([{ loc: ['body', 'task_ids'], msg, type: 'value_error' }]);
  }
  await sql`update assessment_tasks as task set order_index = place - 1
    from unnest(${[...wanted]}::int[]) with ordinality as wanted(id, place)
    where kind = ${kind} and task.id = wanted.id`.execute(trx);
}
