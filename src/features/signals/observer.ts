import { StringDecoder } from 'node:string_decoder';
import { CommandLines } from './command-lines.ts';
import { MinHash } from './min-hash.ts';
import { pasteLength } from './schema.ts';
import type { Seen, SignalStore } from './store.ts';

/** Milliseconds between two writes of what was seen: what a killed process loses. */
const writeInterval = 30_000;

const nothing = (): Seen => ({ firstKeyAt: null, pastes: 0, longestPaste: 0, commands: 0, signature: [] });

/**
 * Counts what the input of one terminal tells of an attempt whose session has signals, and forgets the input. It never fails and never holds
 * the input up: the cost of a key is a few comparisons.
 */
export class InputObserver {
  readonly #attemptId: number;
  readonly #store: Pick<SignalStore, 'isObserved' | 'add'>;
  readonly #onFailure: (error: unknown) => void;
  readonly #decoder = new StringDecoder('utf8');
  readonly #pairs = new MinHash();
  readonly #lines = new CommandLines((line) => this.#command(line));
  #last: string | undefined;
  #seen = nothing();
  #hasInput = false;
  #hasPairs = false;
  /** False once its session is known to have no signals. */
  #isOn = true;
  #timer: NodeJS.Timeout | undefined;

  constructor(attemptId: number, store: Pick<SignalStore, 'isObserved' | 'add'>, onFailure: (error: unknown) => void) {
    this.#attemptId = attemptId;
    this.#store = store;
    this.#onFailure = onFailure;
    store.isObserved(attemptId).then((isObserved) => {
      this.#isOn &&= isObserved;
    }, onFailure);
  }

  input(bytes: Buffer): void {
    if (!this.#isOn) return;
    if (!this.#hasInput) this.#seen.firstKeyAt = new Date();
    this.#hasInput = true;
    const text = this.#decoder.write(bytes);
    if (text.length >= pasteLength) {
      this.#seen.pastes += 1;
      this.#seen.longestPaste = Math.max(this.#seen.longestPaste, text.length);
    }
    this.#lines.add(text);
    this.#timer ??= setTimeout(() => void this.#write(), writeInterval).unref();
  }

  /** The terminal has ended. */
  async end(): Promise<void> {
    if (this.#timer) await this.#write();
    this.#isOn = false;
  }

  #command(line: string): void {
    this.#seen.commands += 1;
    // A single command says little: everybody lists files.
    if (this.#last !== undefined) {
      this.#pairs.add(`${this.#last}\n${line}`);
      this.#hasPairs = true;
    }
    this.#last = line;
  }

  async #write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const seen = { ...this.#seen, signature: this.#hasPairs ? [...this.#pairs.signature] : [] };
    this.#seen = nothing();
    await this.#store.add(this.#attemptId, seen).catch(this.#onFailure);
  }
}
