import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import type { FoundOrNot } from '../../adapters/docker/connect-engine.ts';
import type { DatabaseAddress } from '../../database/connection/connect.ts';

/** The metrics of one process, as prom-client aggregates them. */
export type Metrics = MetricObjectWithValues<MetricValue<string>>[];

/** The message that a process receives at its start. */
export type Assignment = {
  /** From 1. A process that replaces another one has its number. */
  number: number;
  database: DatabaseAddress;
  engine: FoundOrNot;
};

/** From the primary to a serving process. */
export type ToProcess =
  | ({ kind: 'begin' } & Assignment)
  | { kind: 'stop' }
  | { kind: 'collect'; id: number }
  | { kind: 'collected'; id: number; all: Metrics[] };

/** From a serving process to the primary. */
export type ToPrimary =
  | { kind: 'ready'; address: string }
  /** Asks for the metrics of all processes. */
  | { kind: 'gather'; id: number }
  | { kind: 'metrics'; id: number; metrics: Metrics };
