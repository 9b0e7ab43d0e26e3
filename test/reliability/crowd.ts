import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { TestServer } from '../server.ts';
import { until } from '../until.ts';

type Answered = { status: number; begin: number; end: number };

/** Clients that send one request after the other. Most register users, which is a write. Some read. */
export class Crowd implements AsyncDisposable {
  readonly #server: TestServer;
  readonly #answers: Answered[] = [];
  readonly #acknowledged: number[] = [];
  readonly #clients: Promise<void>[];
  #count = 0;
  #isOver = false;

  /** @param token of a user for the reads. Without it there are none */
  constructor(server: TestServer, token?: string) {
    this.#server = server;
    const read = async () => void (await this.#measured(() => server.get('/api/dashboard/stats', token)));
    const readers = token === undefined ? 0 : 2;
    this.#clients = Array.from({ length: 8 }, (_, index) => this.#repeat(index < readers ? read : this.#register));
  }

  get acknowledged(): number {
    return this.#acknowledged.length;
  }

  get statuses(): number[] {
    return [...new Set(this.#answers.map(({ status }) => status))];
  }

  /** Waits for answers with the status to requests that are sent from now on. */
  async sees(status: number, count = 1): Promise<void> {
    const now = performance.now();
    const isMeant = (answer: Answered): boolean => answer.status === status && answer.begin > now;
    await until(() => this.#answers.filter(isMeant).length >= count, `${count} times ${status}`);
  }

  /** Waits until registrations succeed again. @param patience milliseconds, extended on a busy machine */
  async goesOn(patience: number): Promise<void> {
    const [before, begin] = [this.acknowledged, performance.now()];
    await until(() => this.acknowledged > before + 20, 'registrations', 6 * patience);
    const took = performance.now() - begin;
    const usual = this.#usual();
    assert.ok(
      took < patience + 20 * usual,
      `registrations went on after ${took} ms; a request takes ${usual} ms usually`,
    );
  }

  /** The median time of a request in milliseconds. Slower requests are slow because of the fault. */
  #usual(): number {
    const times = this.#answers.map(({ begin, end }) => end - begin).sort((a, b) => a - b);
    return times[Math.floor(times.length / 2)] ?? 0;
  }

  /**
   * Checks the answers: only 200 and 503, within 5 s (later on a busy machine), and every acknowledged user exists.
   * @param away the time without a database. Requests that were sent and answered in it got 503
   */
  async end(away?: { from: number; to: number }): Promise<{ slowest: number; refused: number }> {
    this.#isOver = true;
    await Promise.all(this.#clients);
    const times = this.#answers.map(({ begin, end }) => end - begin).sort((a, b) => a - b);
    const slowest = times.at(-1) ?? 0;
    // On a busy machine everything takes longer, as the median shows.
    const usual = this.#usual();
    assert.ok(slowest < 5000 + 20 * usual, `${slowest} ms, and usually ${usual} ms`);
    assert.deepEqual(
      this.statuses.filter((status) => status !== 200 && status !== 503),
      [],
    );
    const meanwhile = this.#answers.filter(({ begin, end }) => away && begin > away.from && end < away.to);
    assert.ok(!away || meanwhile.length > 10, `${meanwhile.length} requests`);
    assert.deepEqual([...new Set(meanwhile.map(({ status }) => status))], away ? [503] : []);
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from users where id = any(${this.#acknowledged})`.execute(
      this.#server.application.db,
    );
    assert.equal(rows[0]?.count, this.acknowledged);
    return { slowest, refused: meanwhile.length };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    await Promise.allSettled(this.#clients);
  }

  async #repeat(work: () => Promise<void>): Promise<void> {
    while (!this.#isOver) {
      await work();
      await delay(20);
    }
  }

  readonly #register = async (): Promise<void> => {
    this.#count += 1;
    const username = `crowd${this.#count}-${Math.random().toString(36).slice(2)}`;
    const account = { username, email: `${username}@example.com`, password: 'a password' };
    const { status, body } = await this.#measured(() => this.#server.post('/api/auth/register', undefined, account));
    if (status === 200) this.#acknowledged.push(body.id);
  };

  async #measured<Answer extends { status: number }>(send: () => Promise<Answer>): Promise<Answer> {
    const begin = performance.now();
    const answer = await send();
    this.#answers.push({ status: answer.status, begin, end: performance.now() });
    return answer;
  }
}
