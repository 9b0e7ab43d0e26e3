/**
 * The service in a separate process that a test kills, on the test's database and the real engine. The parent decides where it stops, by
 * the headers of a request or by messages.
 */
import type { RequestListener } from 'node:http';
import { pino } from 'pino';
import { findEngine } from '../../src/adapters/docker/find-engine.ts';
import { compose } from '../../src/compose.ts';
import { loadConfig } from '../../src/config.ts';
import { Reconciler } from '../../src/features/attempts/recovery/reconciler.ts';
import { callsOf, installStops, stopAnybody, stopExpiry, stopWithin } from './crash-places.ts';

export type Order =
  | { do: 'stop expiry'; attemptId: number; operation: string; place: string }
  | { do: 'stop anybody'; operation: string; place: string }
  | { do: 'count'; method: string }
  | { do: 'tell the time' }
  | { do: 'end' };
export type Report =
  | { url: string }
  | { stopped: string }
  | { method: string; calls: number }
  | { time: number }
  | { taken: number };

const tell = (report: Report): void => void process.send?.(report);

let reconciliations = 0;
const { run } = Reconciler.prototype;
Reconciler.prototype.run = async function counted() {
  reconciliations += 1;
  return await run.call(this);
};
installStops(new Set(process.env['WRAPPED_METHODS']?.split(',').filter(Boolean)), (operation) =>
  tell({ stopped: operation }),
);

const config = loadConfig();
const engine = await findEngine({ dockerHost: config.engine.dockerHost });
const application = await compose(config, {
  database: { connectionString: config.database.url ?? '' },
  engine,
  log: pino({ level: config.logLevel, base: null }, pino.destination(2)),
});
const { server } = application.app;
const listeners = server.listeners('request') as RequestListener[];
server.removeAllListeners('request');
server.on('request', (request, response) => {
  const { 'x-stop-at': place, 'x-operation': operation } = request.headers;
  const handle = () => {
    for (const listener of listeners) listener(request, response);
  };
  if (typeof place === 'string' && typeof operation === 'string') stopWithin(operation, place, handle);
  else handle();
});

process.on('message', ({ order, number }: { order: Order; number: number }) => {
  if (order.do === 'stop expiry') stopExpiry(order.attemptId, order.operation, order.place);
  if (order.do === 'stop anybody') stopAnybody(order.operation, order.place);
  if (order.do === 'count') {
    const { method } = order;
    tell({ method, calls: method === 'Reconciler.run' ? reconciliations : callsOf(method) });
  }
  if (order.do === 'tell the time') tell({ time: Date.now() });
  tell({ taken: number });
  if (order.do === 'end') void application[Symbol.asyncDispose]().then(() => process.exit(0));
});
tell({ url: await application.listen() });
