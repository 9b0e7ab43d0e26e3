import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Report } from '../steps.ts';
import type { Assignment, Metrics, ToPrimary, ToProcess } from './messages.ts';

export type ServingProcessesOptions = Omit<Assignment, 'number'> & {
  count: number;
  report: Report;
};

type Slot = { number: number; process: ChildProcess | undefined; startedAt: number; delay: number };

const program = new URL('./serving-process.ts', import.meta.url);

/**
 * The processes that serve. Each listens at the same address (SO_REUSEPORT), and the kernel distributes connections among them. This
 * process, the primary, serves none, so no connection depends on it. A process that ends is reported and replaced. Disposing stops
 * all of them and waits for their ends. A process that loses the primary ends.
 */
export class ServingProcesses implements AsyncDisposable {
  readonly #options: ServingProcessesOptions;
  readonly #slots: Slot[];
  readonly #metrics = new GatheredMetrics();
  readonly #restarts = new Set<NodeJS.Timeout>();
  #isServing = false;
  #isStopping = false;

  constructor(options: ServingProcessesOptions) {
    this.#options = options;
    const numbers = Array.from({ length: options.count }, (_, index) => index + 1);
    this.#slots = numbers.map((number) => ({ number, process: undefined, startedAt: 0, delay: 0 }));
    process.once('exit', this.#kill);
  }

  /**
   * Resolves when each accepts requests, with their common address.
   * @throws Error if one ends before it serves; it has printed the reason
   */
  async start(): Promise<string> {
    const [address = ''] = await Promise.all(this.#slots.map((slot) => this.#startFirst(slot)));
    this.#isServing = true;
    return address;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopping = true;
    for (const restart of this.#restarts) clearTimeout(restart);
    await Promise.all(
      this.#slots.map(async ({ number, process: serving }) => {
        if (!serving) return;
        this.#send(number, { kind: 'stop' });
        await once(serving, 'exit');
      }),
    );
    process.off('exit', this.#kill);
  }

  /** When this process ends at once, so do they. */
  readonly #kill = (): void => {
    for (const slot of this.#slots) slot.process?.kill('SIGKILL');
  };

  async #startFirst(slot: Slot): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const serving = this.#start(slot, resolve);
    serving.once('exit', () =>
      reject(new Error(`Process ${slot.number} of the service has ended before it served: see above`)),
    );
    return await promise;
  }

  #start(slot: Slot, onReady: (address: string) => void): ChildProcess {
    const { database, engine } = this.#options;
    const serving = fork(program, [], { serialization: 'advanced' });
    slot.process = serving;
    slot.startedAt = performance.now();
    serving.on('message', (message: ToPrimary) => {
      if (message.kind === 'ready') onReady(message.address);
      else if (message.kind === 'metrics') this.#metrics.take(slot.number, message.id, message.metrics);
      else void this.#gather(slot.number, message.id);
    });
    let hasEnded = false;
    const end = (how: string): void => {
      if (!hasEnded) this.#ended(slot, how);
      hasEnded = true;
    };
    // A process that could not be started has no exit. One that has just ended cannot be written to, and its exit follows.
    serving.on('error', (error) => serving.pid === undefined && end(error.message));
    serving.once('exit', (code, signal) => end(signal ?? `status ${code}`));
    this.#send(slot.number, { kind: 'begin', number: slot.number, database, engine });
    return serving;
  }

  #ended(slot: Slot, how: string): void {
    const pid = slot.process?.pid;
    slot.process = undefined;
    if (this.#isStopping || !this.#isServing) return;
    slot.delay = restartDelay(slot.delay, performance.now() - slot.startedAt);
    const { report } = this.#options;
    report('process', `${slot.number} (pid ${pid}) has ended: ${how}; it is started again in ${slot.delay / 1000} s`);
    const restart = setTimeout(() => {
      this.#restarts.delete(restart);
      this.#start(slot, () => report('process', `${slot.number} (pid ${slot.process?.pid}) serves again`));
    }, slot.delay);
    this.#restarts.add(restart);
  }

  async #gather(asker: number, id: number): Promise<void> {
    const living = this.#slots.filter((slot) => slot.process?.connected).map(({ number }) => number);
    const all = await this.#metrics.gather(living, (number, round) =>
      this.#send(number, { kind: 'collect', id: round }),
    );
    this.#send(asker, { kind: 'collected', id, all });
  }

  #send(number: number, message: ToProcess): void {
    const serving = this.#slots[number - 1]?.process;
    if (serving?.connected) serving.send(message, () => undefined);
  }
}

type Round = { missing: Set<number>; all: Metrics[]; done: () => void };

/** Milliseconds for the processes to send their metrics. One that is too busy is left out. */
const metricsPatienceMs = 1000;

/** Collects the metrics of all processes for the one that was asked for them. */
class GatheredMetrics {
  readonly #rounds = new Map<number, Round>();
  #lastId = 0;

  /** @param processes the numbers of those that are asked @param ask sends the request to one of them */
  async gather(processes: readonly number[], ask: (number: number, id: number) => void): Promise<Metrics[]> {
    this.#lastId += 1;
    const id = this.#lastId;
    const { promise, resolve } = Promise.withResolvers<void>();
    const round: Round = { missing: new Set(processes), all: [], done: resolve };
    this.#rounds.set(id, round);
    const timer = setTimeout(resolve, metricsPatienceMs);
    for (const number of processes) ask(number, id);
    await promise;
    clearTimeout(timer);
    this.#rounds.delete(id);
    return round.all;
  }

  take(number: number, id: number, metrics: Metrics): void {
    const round = this.#rounds.get(id);
    if (!round?.missing.delete(number)) return;
    round.all.push(metrics);
    if (round.missing.size === 0) round.done();
  }
}

const firstDelayMs = 200;
const maxDelayMs = 30_000;
/** A process that served this long was healthy: its end is not blamed on its start. */
const healthyAfterMs = 60_000;

/**
 * Milliseconds before a process that ended is replaced: doubled while processes end soon after their start, so that one that cannot
 * run does not use up the machine.
 * @param last the delay before the process that ended, 0 for the first
 * @param servedFor milliseconds
 */
function restartDelay(last: number, servedFor: number): number {
  return last === 0 || servedFor >= healthyAfterMs ? firstDelayMs : Math.min(maxDelayMs, last * 2);
}
