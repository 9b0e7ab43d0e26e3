/** A thread that reads an uploaded table. Its user decides how long that takes, so it runs where it can be terminated. */
import { parentPort, workerData } from 'node:worker_threads';
import { type Encoding, readTable, type Table, type TableLimits } from './table.ts';

export type TableTask = { bytes: Uint8Array; limits: TableLimits; encoding: Encoding | undefined };
export type TableResult = Table;

const { bytes, limits, encoding } = workerData as TableTask;
parentPort?.postMessage(readTable(bytes, limits, encoding) satisfies TableResult);
