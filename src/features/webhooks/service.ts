import type { FastifyBaseLogger } from 'fastify';
import { CoalescingRunner } from '../../../packages/limits/coalescing-runner.ts';
import { InvalidError } from '../../errors.ts';
import type { Page } from '../../http/lists/paging.ts';
import { refusedField } from '../../values/coded-problem.ts';
import { retryAfterSeconds } from '../../values/retry-after.ts';
import { newSecret, signedHeaders } from './signature.ts';
import type { DeliveryRow, DueDelivery, WebhookChanges, WebhookFields, WebhookRow, WebhookStore } from './store.ts';

export type WebhookServiceParts = {
  store: WebhookStore;
  seal: {
    seal: (text: string, place: string) => Buffer;
    open: (sealed: Buffer, place: string) => string | undefined;
  };
  /** Follows no redirect. @throws an error whose `problem` is a word for why there is no answer */
  fetch: (
    url: string,
    request: { method: string; headers: Record<string, string>; body: string; signal: AbortSignal },
  ) => Promise<Pick<Response, 'status' | 'headers'>>;
  /** Whether requests may go there, as far as the address itself says. */
  isAllowed: (url: URL) => boolean;
  log: FastifyBaseLogger;
};

/** Requests at once of one process, in total and to one host: a slow receiver delays itself alone. */
const [maxRequests, maxRequestsPerHost] = [32, 4];

const placeOf = (id: number): string => `webhook ${id}`;

/**
 * Webhooks after Standard Webhooks. Triggers write what is to be sent in the transaction of the event, and each process sends what is due.
 * What was taken by a process that died is sent again with the same id when its attempt counts as lost.
 */
export class WebhookService implements AsyncDisposable {
  readonly #parts: WebhookServiceParts;
  readonly #running = new Set<Promise<void>>();
  /** Requests that run, by host. */
  readonly #hosts = new Map<string, number>();
  readonly #end = new AbortController();
  /** One round at a time, so that two do not take the last place of a host both. */
  readonly #sending = new CoalescingRunner(() => this.#sendDue());

  constructor(parts: WebhookServiceParts) {
    this.#parts = parts;
  }

  async list(page: Page): Promise<{ rows: WebhookRow[]; total: number }> {
    return await this.#parts.store.list(page);
  }

  /** @throws InvalidError for an address, ConflictError for one too many */
  async create(actorId: number, fields: WebhookFields): Promise<WebhookRow & { secret: string }> {
    const { store, seal } = this.#parts;
    const secret = newSecret();
    const row = await store.create(actorId, { ...fields, url: this.#checked(fields.url) }, (id) =>
      seal.seal(secret, placeOf(id)),
    );
    return { ...row, secret };
  }

  /** @throws InvalidError for an address, NotFoundError */
  async update(actorId: number, id: number, changes: WebhookChanges): Promise<WebhookRow> {
    const { url } = changes;
    return await this.#parts.store.update(actorId, id, {
      ...changes,
      ...(url !== undefined && { url: this.#checked(url) }),
    });
  }

  /** @throws NotFoundError */
  async rotate(actorId: number, id: number): Promise<WebhookRow & { secret: string }> {
    const secret = newSecret();
    const row = await this.#parts.store.rotate(actorId, id, this.#parts.seal.seal(secret, placeOf(id)));
    return { ...row, secret };
  }

  /** @throws NotFoundError */
  async delete(actorId: number, id: number): Promise<void> {
    await this.#parts.store.delete(actorId, id);
  }

  /** Sends a test, through the queue. @throws NotFoundError */
  async test(id: number): Promise<DeliveryRow> {
    const delivery = await this.#parts.store.addTest(id);
    this.#sendSoon();
    return delivery;
  }

  /** @throws NotFoundError */
  async deliveries(id: number, page: Page): Promise<{ rows: DeliveryRow[]; total: number }> {
    return await this.#parts.store.deliveries(id, page);
  }

  /** @throws NotFoundError */
  async replay(webhookId: number, id: number): Promise<void> {
    await this.#parts.store.replay(webhookId, id);
    this.#sendSoon();
  }

  async clean(): Promise<void> {
    await this.#parts.store.clean();
  }

  /** Writes what was released, and begins to send what is due. It does not wait for receivers. */
  async round(): Promise<void> {
    await this.#parts.store.writeResults();
    await this.#sending.run();
  }

  /** Resolves when no request runs. */
  async idle(): Promise<void> {
    await this.#sending.idle();
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort();
    await this.idle();
  }

  #sendSoon(): void {
    this.#sending.run().catch((error: unknown) => this.#parts.log.warn({ err: error }, 'webhooks could not be sent'));
  }

  async #sendDue(): Promise<void> {
    while (this.#running.size < maxRequests && !this.#end.signal.aborted) {
      const busy = [...this.#hosts].filter(([, count]) => count >= maxRequestsPerHost).map(([host]) => host);
      const delivery = await this.#parts.store.take(busy);
      if (!delivery) return;
      const { host } = new URL(delivery.url);
      this.#hosts.set(host, (this.#hosts.get(host) ?? 0) + 1);
      const work = this.#send(delivery)
        .catch((error: unknown) =>
          this.#parts.log.warn({ err: error, delivery: delivery.id }, 'a webhook delivery was not marked'),
        )
        .finally(() => {
          this.#running.delete(work);
          const left = (this.#hosts.get(host) ?? 1) - 1;
          if (left > 0) this.#hosts.set(host, left);
          else this.#hosts.delete(host);
          // Its place is free for what is due.
          if (!this.#end.signal.aborted) this.#sendSoon();
        });
      this.#running.add(work);
    }
  }

  async #send(delivery: DueDelivery): Promise<void> {
    const { store, fetch, log } = this.#parts;
    const { id, webhook_id, url, message_id, body } = delivery;
    const secrets = this.#secretsOf(delivery);
    let code: number | null = null;
    let problem: string | null = null;
    let retryAfter = 0;
    try {
      if (secrets.length === 0) throw Object.assign(new Error('SECRET_KEY was changed'), { problem: 'secret' });
      const headers = signedHeaders({ id: message_id, body }, secrets, new Date());
      const answer = await fetch(url, { method: 'POST', headers, body, signal: this.#end.signal });
      code = answer.status;
      retryAfter = retryAfterSeconds(answer.headers.get('retry-after'));
    } catch (error) {
      if (this.#end.signal.aborted) return await store.giveBack(id);
      problem = problemOf(error);
    }
    if (code !== null && code >= 200 && code < 300) return await store.markDelivered(delivery, code);
    const reason = await store.markFailed(delivery, { code, problem, retryAfter });
    if (reason) log.error({ webhook: webhook_id, reason, code, problem }, 'a webhook was paused');
    else log.info({ webhook: webhook_id, delivery: id, code, problem }, 'a webhook delivery was not taken');
  }

  #secretsOf({ webhook_id, sealed_secret, sealed_old_secret }: DueDelivery): string[] {
    return [sealed_secret, sealed_old_secret].flatMap((sealed) =>
      sealed ? (this.#parts.seal.open(sealed, placeOf(webhook_id)) ?? []) : [],
    );
  }

  #checked(text: string): string {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const isPlain = url?.username === '' && url.password === '' && url.hash === '';
    if (!isPlain || !this.#parts.isAllowed(url)) throw new InvalidError([refusedField(['body', 'url'], 'webhook_url')]);
    return url.href;
  }
}

const problemOf = (error: unknown): string => {
  const { problem, cause } = error as { problem?: string; cause?: { problem?: string } };
  return cause?.problem ?? problem ?? 'unreachable';
};
