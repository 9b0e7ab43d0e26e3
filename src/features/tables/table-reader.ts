import { UnavailableError } from '../../errors.ts';
import { ConcurrencyLimiter } from '../../limits/concurrency-limiter.ts';
import { runInThread } from '../../limits/run-in-thread.ts';
import type { TableResult, TableTask } from '../../workers/table.ts';
import { type Encoding, readTable, type Table, type TableLimits } from './table.ts';

const program = new URL('../../workers/table.ts', import.meta.url);
/** Bytes up to which a table is read at once, which takes at most some milliseconds. */
const smallTable = 16_384;
const threadLimits = { seconds: 10, heapMb: 256 };
const turns = new ConcurrencyLimiter({ concurrency: 2, maxWaiting: 20 }, 'Too many files are imported at once');

/** @throws UnavailableError where too many tables are read, or one takes too much time or memory */
export async function tableOf(bytes: Uint8Array, limits: TableLimits, encoding?: Encoding): Promise<Table> {
  if (bytes.byteLength <= smallTable) return readTable(bytes, limits, encoding);
  const task: TableTask = { bytes, limits, encoding };
  return await turns.run(() => runInThread<TableResult>(program, task, threadLimits, tooSlow));
}

const tooSlow = (cause?: unknown) => new UnavailableError('overloaded', 'The file takes too long to read', { cause });
