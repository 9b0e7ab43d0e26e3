import { randomBytes } from 'node:crypto';
import type { ChangeFeed } from './change-feed.ts';

type Message =
  | { kind: 'ask'; from: string; id: number; topic: string; text: string }
  | { kind: 'answer'; to: string; id: number; text: string | null }
  | { kind: 'tell'; from: string; topic: string; text: string };

type Answerer = (text: string) => string | undefined | Promise<string | undefined>;
type Question = { answers: string[]; count: number; expected: number | undefined; done: () => void };

export type PeersOptions = {
  feed: ChangeFeed;
  /** Milliseconds for an answer. */
  patience?: number;
};

const channel = 'peers';

/**
 * Communication with the other processes of the service through the shared database (NOTIFY). Processes need no addresses of each
 * other, and a dead one disappears with its connection. Texts have at most 7,000 bytes. A message arrives after every change that
 * was committed before it was sent.
 */
export class Peers {
  readonly #feed: ChangeFeed;
  readonly #patience: number;
  readonly #self = randomBytes(9).toString('base64url');
  readonly #answerers = new Map<string, Answerer>();
  readonly #listeners = new Map<string, (text: string) => void>();
  readonly #questions = new Map<number, Question>();
  #lastId = 0;

  constructor({ feed, patience = 1000 }: PeersOptions) {
    this.#feed = feed;
    this.#patience = patience;
    feed.on(channel, (payload) => this.#receive(payload));
  }

  /** @param answer the answer to a question of another process; `undefined`: none */
  answer(topic: string, answer: Answerer): void {
    this.#answerers.set(topic, answer);
  }

  subscribe(topic: string, listener: (text: string) => void): void {
    this.#listeners.set(topic, listener);
  }

  /** Sends a message to all others without waiting. Never throws. Processes that are not connected do not receive it. */
  publish(topic: string, text: string): void {
    this.#send({ kind: 'tell', from: this.#self, topic, text }).catch(() => undefined);
  }

  /**
   * Asks all others and waits for their answers. Never throws.
   * @param patience milliseconds; later answers are ignored
   * @returns the answers; none while the database is unavailable
   */
  async ask(topic: string, text = '', patience = this.#patience): Promise<string[]> {
    this.#lastId += 1;
    const id = this.#lastId;
    const { promise, resolve } = Promise.withResolvers<void>();
    const question: Question = { answers: [], count: 0, expected: undefined, done: resolve };
    this.#questions.set(id, question);
    const timer = setTimeout(resolve, patience);
    try {
      question.expected = (await this.#send({ kind: 'ask', from: this.#self, id, topic, text })) ?? 0;
      if (question.count < question.expected) await promise;
      return question.answers;
    } catch {
      return question.answers;
    } finally {
      clearTimeout(timer);
      this.#questions.delete(id);
    }
  }

  #send(message: Message): Promise<number | undefined> {
    return this.#feed.notify(channel, JSON.stringify(message));
  }

  #receive(payload: string): void {
    if (payload === '*') return;
    const message: Message = JSON.parse(payload);
    if (message.kind === 'answer') {
      if (message.to === this.#self) this.#takeAnswer(message.id, message.text);
    } else if (message.from === this.#self) {
      return;
    } else if (message.kind === 'tell') {
      this.#listeners.get(message.topic)?.(message.text);
    } else {
      this.#reply(message.from, message.id, message.topic, message.text).catch(() => undefined);
    }
  }

  async #reply(to: string, id: number, topic: string, question: string): Promise<void> {
    const answer = async () => await this.#answerers.get(topic)?.(question);
    const text = (await answer().catch(() => undefined)) ?? null;
    await this.#send({ kind: 'answer', to, id, text });
  }

  #takeAnswer(id: number, text: string | null): void {
    const question = this.#questions.get(id);
    if (!question) return;
    question.count += 1;
    if (text !== null) question.answers.push(text);
    if (question.expected !== undefined && question.count >= question.expected) question.done();
  }
}
