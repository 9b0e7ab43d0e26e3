import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { ConcurrencyLimiter } from '../../../packages/limits/concurrency-limiter.ts';
import { overloaded } from '../../errors.ts';
import { errorCodeOf } from './s3-answers.ts';

export type S3Settings = {
  /** Scheme, host and port. The bucket is the first part of the path. */
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** The maximum milliseconds of a request with its retries, and of a pause within an answer. */
  timeout: number;
};

export type S3Request = {
  method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** Without the bucket; empty for requests about the bucket. */
  name: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Uint8Array;
};

/** A log of the storage's state. */
export type S3Log = { warn: (details: object, message: string) => void; info: (message: string) => void };

const attempts = 4;
/** Milliseconds before the second attempt; doubled before each further one. */
const firstPause = 100;
const longestPause = 2000;
/** Requests at once, and those that may wait for their turn. */
const limits = { concurrency: 64, maxWaiting: 1000 };
const retriedStatuses = [408, 429, 500, 502, 503, 504];
/** Errors have a few hundred bytes. A longer answer is not from an S3 server. */
const longestError = 64 * 1024;

/** An answer that is not a success, or none. The message contains neither keys nor parts of the answer but its code. */
export class S3Error extends Error {
  /** 0 where there was no answer. */
  readonly status: number;
  readonly code: string;
  readonly isRetryable: boolean;

  constructor(request: S3Request, status: number, code: string, options: { isRetryable: boolean; cause?: unknown }) {
    super(`${request.method} ${request.name || 'the bucket'}: ${status || 'no answer'} ${code}`, options);
    this.name = 'S3Error';
    this.status = status;
    this.code = code;
    this.isRetryable = options.isRetryable;
  }
}

/** Sends signed requests. It retries what may succeed later, within a bounded time. Every request can be repeated safely. */
export class S3Client {
  readonly #settings: S3Settings;
  readonly #log: S3Log | undefined;
  readonly #turns = new ConcurrencyLimiter(limits, overloaded('Too many files at once'));
  readonly #signingKeys = new Map<string, ArrayBuffer>();
  #isFailing = false;

  constructor(settings: S3Settings, log?: S3Log) {
    this.#settings = settings;
    this.#log = log;
  }

  /** Reads the whole answer. @throws S3Error */
  async text(request: S3Request): Promise<string> {
    return await this.#send(request, async (response) => await response.text());
  }

  /** The answer's body is read later, with `streamOf`. @throws S3Error */
  async open(request: S3Request): Promise<Response> {
    return await this.#send(request, async (response) => response);
  }

  async #send<T>(request: S3Request, read: (response: Response) => Promise<T>): Promise<T> {
    const deadline = performance.now() + this.#settings.timeout;
    return await this.#turns.run(async () => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          const result = await this.#attempt(request, deadline - performance.now(), read);
          this.#report(undefined);
          return result;
        } catch (error) {
          if (!(error instanceof S3Error)) throw error;
          const pause = Math.min(longestPause, firstPause * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
          const isLast = attempt >= attempts || performance.now() + pause >= deadline;
          if (!error.isRetryable || isLast) {
            this.#report(error);
            throw error;
          }
          await delay(pause);
        }
      }
    });
  }

  async #attempt<T>(request: S3Request, patience: number, read: (response: Response) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), Math.max(1, patience));
    try {
      const signed = await this.#sign(request);
      const response = await fetch(signed.url, {
        method: request.method,
        headers: signed.headers,
        // A signed request is never sent to another address.
        redirect: 'manual',
        signal: controller.signal,
        ...(request.body ? { body: request.body as Uint8Array<ArrayBuffer> } : {}),
      });
      if (response.ok) return await read(response);
      const code = await codeOf(response);
      const isRetryable = retriedStatuses.includes(response.status);
      throw new S3Error(request, response.status, code, { isRetryable });
    } catch (error) {
      if (error instanceof S3Error) throw error;
      const reason = controller.signal.aborted ? 'timeout' : networkCode(error);
      throw new S3Error(request, 0, reason, { isRetryable: !controller.signal.aborted });
    } finally {
      clearTimeout(timer);
    }
  }

  async #sign({ method, name, query = {}, headers = {}, body }: S3Request) {
    const { endpoint, bucket, ...settings } = this.#settings;
    const url = new URL(`${endpoint}/${bucket}${name === '' ? '' : `/${name}`}`);
    for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value);
    // The keys of earlier days.
    if (this.#signingKeys.size > 2) this.#signingKeys.clear();
    const hash = createHash('sha256').update(body ?? '');
    const signer = new AwsV4Signer({
      ...{ method, url: url.href, service: 's3', region: settings.region, cache: this.#signingKeys },
      ...{ accessKeyId: settings.accessKeyId, secretAccessKey: settings.secretAccessKey },
      // With the checksum the server refuses a body that was damaged on its way.
      headers: { ...headers, 'X-Amz-Content-Sha256': hash.digest('hex') },
    });
    const signed = await signer.sign();
    // Not signed, because proxies change it. Lengths are those of the objects.
    signed.headers.set('accept-encoding', 'identity');
    return signed;
  }

  /** One line for an outage, and one for its end. A refusal of one file is no outage. */
  #report(failure: S3Error | undefined): void {
    if (failure?.code === 'NoSuchKey' || failure?.code === 'NoSuchUpload') return;
    if (failure && !this.#isFailing) this.#log?.warn({ err: failure }, 'the object storage has failed');
    if (!failure && this.#isFailing) this.#log?.info('the object storage works again');
    this.#isFailing = failure !== undefined;
  }

  /** The body of an answer. It fails when nothing arrives for the timeout. */
  async *streamOf(request: S3Request, response: Response): AsyncGenerator<Uint8Array> {
    if (!response.body) return;
    const reader = response.body.getReader();
    try {
      for (;;) {
        const { value, done } = await this.#inTime(request, reader.read());
        if (done) return;
        yield value;
      }
    } finally {
      await reader.cancel().catch(() => undefined);
    }
  }

  async #inTime<T>(request: S3Request, work: Promise<T>): Promise<T> {
    const { promise, reject } = Promise.withResolvers<never>();
    const late = () => reject(new S3Error(request, 0, 'timeout', { isRetryable: false }));
    const timer = setTimeout(late, this.#settings.timeout);
    try {
      return await Promise.race([work, promise]);
    } catch (error) {
      if (error instanceof S3Error) throw error;
      throw new S3Error(request, 0, networkCode(error), { isRetryable: false });
    } finally {
      clearTimeout(timer);
    }
  }
}

async function codeOf(response: Response): Promise<string> {
  const length = Number(response.headers.get('content-length') ?? 0);
  if (length > longestError) {
    await response.body?.cancel();
    return '';
  }
  return errorCodeOf((await response.text()).slice(0, longestError)) ?? '';
}

/** The code of an error of the network, such as ECONNREFUSED. */
function networkCode(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'network error';
}
