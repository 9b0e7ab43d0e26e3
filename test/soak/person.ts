import { setTimeout as delay } from 'node:timers/promises';

/** What happened, for all persons together. */
export type Tally = {
  requests: number;
  statuses: Record<string, number>;
  counts: Record<string, number>;
  failures: string[];
};

export type PersonOptions = {
  base: string;
  account: { username: string; email: string; password: string };
  picture: Uint8Array<ArrayBuffer>;
  /** Seconds between two things to do, on the average. */
  thinkSeconds: number;
  tally: Tally;
  /** How many more containers may be had at the moment. */
  room: { free: number };
};

const patience = 60_000;

/** A user of the service over HTTP who counts its answers. Unexpected answers are failures. */
export class Person {
  readonly base: string;
  readonly picture: Uint8Array<ArrayBuffer>;
  readonly #options: PersonOptions;
  token = '';

  constructor(options: PersonOptions) {
    this.base = options.base;
    this.picture = options.picture;
    this.#options = options;
  }

  async register(): Promise<void> {
    await this.post('/api/auth/register', this.#options.account);
    await this.logIn();
  }

  async logIn(): Promise<void> {
    const { username, password } = this.#options.account;
    const answer = await this.expect<{ access_token: string }>([200], 'POST', '/api/auth/login', {
      username,
      password,
    });
    this.token = answer?.access_token ?? '';
  }

  get = async <T>(path: string): Promise<T> => (await this.expect<T>([200], 'GET', path)) as T;
  post = async (path: string, json?: unknown): Promise<void> => void (await this.expect([200], 'POST', path, json));
  put = async (path: string, json: unknown): Promise<void> => void (await this.expect([200], 'PUT', path, json));
  delete = async (path: string): Promise<void> => void (await this.expect([200], 'DELETE', path));

  async upload(path: string, field: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    const form = new FormData();
    form.set(field, new Blob([bytes]), 'picture.png');
    await this.#send([200], 'POST', path, form);
  }

  async download(address: string): Promise<void> {
    const { pathname } = new URL(address, this.base);
    await this.#send([200], 'GET', pathname);
  }

  /** @returns the answer's JSON, where it is one of success */
  async expect<T>(statuses: readonly number[], method: string, path: string, json?: unknown): Promise<T | undefined> {
    const response = await this.#send(statuses, method, path, json === undefined ? undefined : JSON.stringify(json));
    return response.isJson && response.status < 300 ? (JSON.parse(response.text) as T) : undefined;
  }

  async think(): Promise<void> {
    await delay(2000 * this.#options.thinkSeconds * Math.random());
  }

  chance = (probability: number): boolean => Math.random() < probability;

  /** Different ones, at random. */
  some<T>(items: readonly T[], count: number): T[] {
    return [...items].sort(() => Math.random() - 0.5).slice(0, count);
  }

  reserveCapacity(): boolean {
    if (this.#options.room.free <= 0) return false;
    this.#options.room.free -= 1;
    return true;
  }

  giveRoom(): void {
    this.#options.room.free += 1;
  }

  count(what: string): void {
    const { counts } = this.#options.tally;
    counts[what] = (counts[what] ?? 0) + 1;
  }

  fail(error: unknown): void {
    this.#options.tally.failures.push(error instanceof Error ? error.message : String(error));
  }

  async #send(statuses: readonly number[], method: string, path: string, body?: FormData | string) {
    const { tally } = this.#options;
    const headers = new Headers(this.token ? { authorization: `Bearer ${this.token}` } : {});
    if (typeof body === 'string') headers.set('content-type', 'application/json');
    const signal = AbortSignal.timeout(patience);
    const response = await fetch(this.base + path, {
      method,
      headers,
      signal,
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    const { status } = response;
    tally.requests += 1;
    tally.statuses[status] = (tally.statuses[status] ?? 0) + 1;
    if (!statuses.includes(status))
      throw new Error(`${method} ${path.replace(/\d+/g, 'N')}: ${status} ${text.slice(0, 200)}`);
    if (method === 'POST' && status < 300 && /\/(start|submit|check|create|avatar)$/.test(path))
      this.count(`POST ${path.replace(/\d+/g, 'N')}`);
    return { status, text, isJson: response.headers.get('content-type')?.startsWith('application/json') === true };
  }
}
