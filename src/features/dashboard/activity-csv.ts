import { csvLine } from '../tables/user-csv.ts';
import { activityTypes } from './schema.ts';
import type { DashboardStore } from './store.ts';

/** Entries that are read at once. */
const batch = 1000;

/** A user's activity as CSV, newest first, streamed: memory use does not grow with the number of entries. */
export async function* activityCsv(
  store: Pick<DashboardStore, 'activityParts'>,
  userId: number,
): AsyncGenerator<string> {
  yield csvLine(['time', 'type', 'title']);
  for await (const entries of store.activityParts(userId, activityTypes, batch))
    yield entries.map(({ created_at, type, title }) => csvLine([created_at.toISOString(), type, title])).join('');
}
