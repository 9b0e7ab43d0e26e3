/**
 * The program of one of several processes that serve at one address. `ServingProcesses` starts it and sends it its assignment. It serves until
 * the primary or a signal stops it.
 */
import { loadConfig } from '../../config.ts';
import { explain, listenForStop } from '../run-command.ts';
import { stopped } from '../steps.ts';
import type { Assignment, Metrics, ToPrimary, ToProcess } from './messages.ts';
import { shareOf } from './share.ts';

const send = (message: ToPrimary): void => void process.send?.(message, undefined, undefined, () => undefined);

/** The metrics that this process has asked for. */
const asked = new Map<number, (all: Metrics[]) => void>();
let lastId = 0;

function allMetrics(): Promise<Metrics[]> {
  lastId += 1;
  const id = lastId;
  return new Promise((resolve) => {
    asked.set(id, resolve);
    send({ kind: 'gather', id });
  });
}

async function run({ number, database, engine }: Assignment, stop: AbortSignal): Promise<void> {
  const config = loadConfig();
  const { serve } = await import('../serve.ts');
  // Only an external database can have processes on other machines, which must reach this one.
  const relayHost = config.database.url === undefined ? '127.0.0.1' : config.host;
  const siblings = { number, relayHost, allMetrics };
  const { application, address } = await serve(shareOf(config, config.processes), { database, engine, siblings }, stop);
  await using _serving = application;
  const { registry } = application;
  process.on('message', (message: ToProcess) => {
    if (message.kind === 'collect')
      void registry.getMetricsAsJSON().then((metrics) => send({ kind: 'metrics', id: message.id, metrics }));
    if (message.kind === 'collected') {
      asked.get(message.id)?.(message.all);
      asked.delete(message.id);
    }
  });
  send({ kind: 'ready', address });
  await stopped(stop);
}

// A terminal sends these to every process of a group. The primary decides, and notifies this one.
for (const name of ['SIGINT', 'SIGHUP']) process.on(name, () => undefined);
// The primary has ended: it holds the data folder, and another service may start on it.
process.once('disconnect', () => process.exit(1));
const { stopDelay, stopTimeout } = loadConfig();
const { stop, abort } = listenForStop(stopDelay + stopTimeout, ['SIGTERM']);
process.on('message', (message: ToProcess) => {
  if (message.kind === 'stop') abort('the primary');
  if (message.kind !== 'begin') return;
  run(message, stop).then(
    () => process.exit(0),
    (error: unknown) => {
      if (stop.aborted && error === stop.reason) process.exit(0);
      process.stderr.write(`${explain(error)}\n`);
      process.exit(1);
    },
  );
});
