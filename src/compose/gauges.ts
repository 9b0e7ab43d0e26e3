import { Gauge, type Registry } from 'prom-client';
import type { Load } from '../limits/concurrency-limiter.ts';
import type { ContainerEngine } from '../ports/container-engine.ts';

type Measured = {
  engine: Pick<ContainerEngine, 'problem'>;
  terminals: { readonly openTerminals: number };
  provisioner: { load(): Load };
  gradingTurns: { load(): Load };
  pool: { readonly totalCount: number; readonly idleCount: number; readonly waitingCount: number };
};

/** The state of this process at the time of a request for its metrics. */
export function installGauges(
  registry: Registry,
  { engine, terminals, provisioner, gradingTurns, pool }: Measured,
): void {
  const gauge = (name: string, help: string, read: () => number, aggregator: 'sum' | 'min' = 'sum') => {
    const collect = (): void => one.set(read());
    const one: Gauge = new Gauge({ name, help, aggregator, registers: [registry], collect });
  };
  gauge('terminals_open', 'Open shells, including those whose client may come back.', () => terminals.openTerminals);
  const isAvailable = () => (engine.problem() === undefined ? 1 : 0);
  gauge('container_engine_available', '1 while the container engine answers, otherwise 0.', isAvailable, 'min');
  gauge('container_starts_running', 'Containers that are being started.', () => provisioner.load().running);
  gauge('container_starts_waiting', 'Container starts in the queue.', () => provisioner.load().waiting);
  gauge('gradings_running', 'Gradings in progress.', () => gradingTurns.load().running);
  gauge('gradings_waiting', 'Gradings in the queue.', () => gradingTurns.load().waiting);
  gauge('database_connections_open', 'Connections to PostgreSQL.', () => pool.totalCount);
  gauge('database_connections_in_use', 'Of those, in use.', () => pool.totalCount - pool.idleCount);
  gauge('database_requests_waiting', 'Queries that wait for a connection.', () => pool.waitingCount);
}
