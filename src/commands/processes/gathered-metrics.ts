import type { Metrics } from './messages.ts';

type Round = { missing: Set<number>; all: Metrics[]; done: () => void };

/** Milliseconds for the processes to send their metrics. One that is too busy is left out. */
const patience = 1000;

/** Collects the metrics of all processes for the one that was asked for them. */
export class GatheredMetrics {
  readonly #rounds = new Map<number, Round>();
  #lastId = 0;

  /** @param processes the numbers of those that are asked @param ask sends the request to one of them */
  async gather(processes: readonly number[], ask: (number: number, id: number) => void): Promise<Metrics[]> {
    this.#lastId += 1;
    const id = this.#lastId;
    const { promise, resolve } = Promise.withResolvers<void>();
    const round: Round = { missing: new Set(processes), all: [], done: resolve };
    this.#rounds.set(id, round);
    const timer = setTimeout(resolve, patience);
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
