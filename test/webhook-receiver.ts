import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from './until.ts';

export type Received = { path: string; headers: IncomingHttpHeaders; body: string };
type Answer = { code: number; headers?: Record<string, string>; isSilent?: boolean };

/** A receiver of webhooks that keeps what it gets, and answers as a test wants. */
export class WebhookReceiver implements AsyncDisposable {
  readonly received: Received[] = [];
  /** The next answers by path; afterwards 204. */
  readonly answers = new Map<string, Answer[]>();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const { url: path = '/', headers } = request;
        this.received.push({ path, headers, body: Buffer.concat(parts).toString() });
        const { code, headers: more, isSilent } = this.answers.get(path)?.shift() ?? { code: 204 };
        if (!isSilent) response.writeHead(code, more).end();
      });
    });
  }

  static async listen(): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver();
    await new Promise<void>((resolve) => receiver.#server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  url(path: string): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${path}`;
  }

  at(path: string): Received[] {
    return this.received.filter((one) => one.path === path);
  }

  /** The first message of a type at a path that has these values. */
  // biome-ignore lint/suspicious/noExplicitAny: a message
  async next(path: string, type: string, values: object = {}): Promise<any> {
    const find = () =>
      this.at(path)
        .map(({ body }) => JSON.parse(body))
        .find((one) => one.type === type && Object.entries(values).every(([name, value]) => one.data[name] === value));
    await until(
      () => find() !== undefined,
      () => `${type} at ${path}: ${this.at(path).map(({ body }) => body)}`,
    );
    return find();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Verifies a message as the specification of Standard Webhooks says, independently of the service. @returns how many signatures are right */
export function rightSignatures({ headers, body }: Received, secret: string): number {
  const id = String(headers['webhook-id']);
  const timestamp = Number(headers['webhook-timestamp']);
  if (Math.abs(Date.now() / 1000 - timestamp) > 300) return 0;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
  return String(headers['webhook-signature'])
    .split(' ')
    .map((one) => one.split(','))
    .filter(([version, signature = '']) => {
      const given = Buffer.from(signature, 'base64');
      return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
    }).length;
}
