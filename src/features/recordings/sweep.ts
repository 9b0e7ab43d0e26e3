import type { RecordingFiles } from './recording-files.ts';
import type { RecordingStore } from './store.ts';

const hour = 3_600_000;
const day = 24 * hour;
const atOnce = 1000;

export type SweepParts = { store: RecordingStore; files: RecordingFiles; days: number };
export type Swept = { ended: number; expired: number; files: number; rows: number };

/**
 * Records the end of recordings whose process died. Removes those that ended more than `days` days ago, files without a row, and rows
 * without a file. Anything changed in the last hour may still be in progress, in any process.
 * @returns how many of each. @throws UnavailableError
 */
export async function sweepRecordings(parts: SweepParts): Promise<Swept> {
  const { store, files, days } = parts;
  const young = new Date(Date.now() - hour);
  const ended = await endLeftOpen(parts, young);
  const expired = await store.removeOlderThan(new Date(Date.now() - days * day));
  for (const key of expired) await files.remove(key);
  await files.removeUnfinished(hour / 1000);
  const found = await files.list();
  return {
    ended,
    expired: expired.length,
    files: await removeUnused(parts, found, young),
    rows: await removeMissing(parts, found, young),
  };
}

async function endLeftOpen({ store, files }: SweepParts, young: Date): Promise<number> {
  let ended = 0;
  for (const { id, key, started_at } of await store.leftOpen()) {
    const { changedAt, bytes } = (await files.status(key)) ?? { changedAt: started_at, bytes: 0 };
    if (changedAt < young && (await store.end(id, { ended_at: changedAt, bytes }))) ended += 1;
  }
  return ended;
}

type Found = Awaited<ReturnType<RecordingFiles['list']>>;

async function removeUnused({ store, files }: SweepParts, found: Found, young: Date): Promise<number> {
  const old = found.filter(({ changedAt }) => changedAt < young).map(({ key }) => key);
  let removed = 0;
  for (let from = 0; from < old.length; from += atOnce) {
    const unused = await store.unusedKeys(old.slice(from, from + atOnce));
    for (const key of unused) await files.remove(key);
    removed += unused.length;
  }
  return removed;
}

async function removeMissing({ store }: SweepParts, found: Found, young: Date): Promise<number> {
  // A folder without any recordings is more likely an unmounted one.
  if (found.length === 0) return 0;
  const present = new Set(found.map(({ key }) => key));
  let removed = 0;
  for (let afterId = 0; ; ) {
    const rows = await store.keysBefore(young, afterId, atOnce);
    const last = rows.at(-1);
    if (!last) return removed;
    afterId = last.id;
    const missing = rows.filter(({ key }) => !present.has(key)).map(({ id }) => id);
    await store.remove(missing);
    removed += missing.length;
  }
}
