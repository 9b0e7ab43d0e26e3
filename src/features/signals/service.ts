import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';
import type { Caller } from '../../http/access/access.ts';
import { likeness } from './min-hash.ts';
import { InputObserver } from './observer.ts';
import type { ComparedSignals } from './schema.ts';
import type { AttemptSignals, SignalStore } from './store.ts';

/** Fewer commands are alike by chance. */
const minCommands = 20;
/** Of the pairs of commands. Tasks alone make attempts alike to a part. */
const minLikeness = 0.5;
/** Milliseconds that the last writes may take at the end of the process when the database hangs. */
const endPatience = 3000;
/** Attempts that are named beside one. */
const maxAlike = 5;

export type SignalParts = { store: SignalStore; log: { warn: (details: object, message: string) => void } };

/** Hints to look closer at an attempt. They change no grade. */
export class SignalService implements AsyncDisposable {
  readonly #parts: SignalParts;
  /** What terminals that have ended still write. */
  readonly #ending = new Set<Promise<void>>();

  constructor(parts: SignalParts) {
    this.#parts = parts;
  }

  /** Counts what the input of a terminal of an exam's attempt tells. */
  observe(attemptId: number): Pick<InputObserver, 'input'> & { end: () => void } {
    const observer = new InputObserver(attemptId, this.#parts.store, (err) => this.#failed(err, attemptId));
    const end = (): void => {
      const ending = observer.end().finally(() => this.#ending.delete(ending));
      this.#ending.add(ending);
    };
    return { input: (bytes) => observer.input(bytes), end };
  }

  /** A terminal of an exam's attempt was opened from a network. Never fails. */
  seenFrom(attemptId: number, network: string): void {
    this.#parts.store.seenFrom(attemptId, network).catch((err: unknown) => this.#failed(err, attemptId));
  }

  /** @throws NotFoundError */
  async ofAttempt(caller: Caller, attemptId: number, isStaff: boolean): Promise<AttemptSignals> {
    return await this.#parts.store.ofAttempt(caller, attemptId, isStaff);
  }

  /** Each with those whose commands are alike. @throws NotFoundError, ForbiddenError */
  async ofSession(caller: Caller, sessionId: number): Promise<ComparedSignals[]> {
    const all = await this.#parts.store.ofSession(caller, sessionId);
    const comparable = all.filter(({ commands, signature }) => commands >= minCommands && signature.length > 0);
    const compared: ComparedSignals[] = [];
    for (const { signature, ...one } of all) {
      const others = one.commands >= minCommands ? comparable.filter(({ user_id }) => user_id !== one.user_id) : [];
      const alike = others
        .map(({ signature: other, attempt_id, user_id, username, full_name }) => ({
          ...{ attempt_id, user_id, username, full_name },
          percent: Math.round(100 * likeness(signature, other)),
        }))
        .filter(({ percent }) => percent >= 100 * minLikeness)
        .sort((a, b) => b.percent - a.percent)
        .slice(0, maxAlike);
      compared.push({ ...one, alike });
      // A thousand comparisons take a tenth of a millisecond. Other requests come in between.
      await turn();
    }
    return compared;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.race([Promise.all(this.#ending), delay(endPatience, undefined, { ref: false })]);
  }

  #failed(err: unknown, attempt: number): void {
    this.#parts.log.warn({ err, attempt }, 'signals of an attempt could not be written');
  }
}
