import { Readable } from 'node:stream';
import type * as Sdk from '@aws-sdk/client-s3';
import { ConcurrencyLimiter } from '../../../packages/limits/concurrency-limiter.ts';
import { overloaded } from '../../errors.ts';
import type { ByteRange } from '../../ports/object-store.ts';

export type BucketSettings = {
  /** Scheme, host and port. The bucket is the first part of the path. */
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** The maximum milliseconds of a request with its retries, and of a pause within an answer. */
  timeout: number;
};

/** A log of the storage's state. */
export type S3Log = { warn: (details: object, message: string) => void; info: (message: string) => void };

type OpenBody = { chunks: AsyncIterable<Uint8Array>; bytes: number; close: () => void };
export type ListedObject = { name: string; bytes: number; changedAt: Date };

/** Requests at once, and those that may wait for their turn. */
const limits = { concurrency: 64, maxWaiting: 1000 };
const maxAttempts = 4;
/** Bytes of one part of an upload. At most this and the next part are in memory. S3 takes at least 5 MiB and 10,000 parts. */
const partBytes = 8 * 1024 * 1024;

/** An answer that is not a success, or none. The message contains neither keys nor parts of the answer but its code. */
export class S3Error extends Error {
  override readonly name = 'S3Error';
  readonly code: string;

  /** @param request the method and the object's name. @param status 0 where there was no answer */
  constructor(request: string, status: number, code: string) {
    super(`${request}: ${status || 'no answer'} ${code}`);
    this.code = code;
  }
}

type Connection = { sdk: typeof Sdk; client: Sdk.S3Client };
/** What happens in the name of one request: the method, and the object or the bucket. */
type Work<T> = (connection: Connection, options: { abortSignal: AbortSignal }) => Promise<T>;

/**
 * The requests that the service sends to a bucket. What may succeed later is tried again within the timeout. Every request can be repeated
 * safely. The library is loaded with the first one.
 */
export class Bucket {
  readonly #settings: BucketSettings;
  readonly #log: S3Log | undefined;
  readonly #turns = new ConcurrencyLimiter(limits, overloaded('Too many files at once'));
  #connection: Promise<Connection> | undefined;
  #isFailing = false;

  constructor(settings: BucketSettings, log?: S3Log) {
    this.#settings = settings;
    this.#log = log;
  }

  /** @throws S3Error */
  async put(name: string, body: Uint8Array): Promise<void> {
    await this.#send(`PUT ${name}`, async ({ sdk, client }, options) => {
      await client.send(new sdk.PutObjectCommand({ ...this.#object(name), Body: body }), options);
    });
  }

  /**
   * Stores a body of unknown length; one of more than a part as a multipart upload, which is aborted when it fails. S3 shows the object when
   * it is complete. @returns its bytes. @throws S3Error, and errors of the body
   */
  async upload(name: string, body: AsyncIterable<Uint8Array>): Promise<number> {
    const { client, sdk } = await this.#connect();
    const { Upload } = await import('@aws-sdk/lib-storage');
    let bytes = 0;
    const counted = async function* () {
      for await (const chunk of body) {
        bytes += chunk.length;
        // A copy, because the source may use the memory again.
        yield Uint8Array.from(chunk);
      }
    };
    const source = Readable.from(counted(), { objectMode: false });
    const send: Sdk.S3Client['send'] = async (command: unknown) =>
      // Each request of the upload has its own turn and timeout.
      await this.#send(
        `${command instanceof sdk.CreateMultipartUploadCommand ? 'POST' : 'PUT'} ${name}`,
        async (_, options) => client.send(command as Sdk.PutObjectCommand, options),
      );
    const each = Object.create(client, { send: { value: send } }) as Sdk.S3Client;
    try {
      await new Upload({
        client: each,
        params: { ...this.#object(name), Body: source },
        partSize: partBytes,
        queueSize: 1,
      }).done();
    } catch (error) {
      // The first attempt to complete it was successful, and its answer was lost.
      const isComplete =
        error instanceof S3Error && error.code === 'NoSuchUpload' && (await this.#hasBytes(name, bytes));
      if (!isComplete) throw error;
    } finally {
      source.destroy();
    }
    return bytes;
  }

  /** @returns undefined where there is no object; `close` gives the connection back, also of a body that nobody reads. @throws S3Error */
  async open(name: string, range?: ByteRange): Promise<OpenBody | undefined> {
    const request = `GET ${name}`;
    const params = { ...this.#object(name), ...(range ? { Range: `bytes=${range.start}-${range.end}` } : {}) };
    const answer = await this.#unlessMissing(
      this.#send(request, ({ sdk, client }, options) => client.send(new sdk.GetObjectCommand(params), options)),
    );
    if (!answer) return undefined;
    const { Body, ContentLength: bytes, ContentRange } = answer;
    if (!(Body instanceof Readable)) throw new S3Error(request, 200, 'no body');
    if (bytes === undefined || (range && ContentRange === undefined)) {
      Body.destroy();
      throw new S3Error(request, 200, bytes === undefined ? 'no length' : 'no range');
    }
    return { chunks: this.#inTime(request, Body), bytes, close: () => void Body.destroy() };
  }

  /** Succeeds where there is nothing: S3 answers with success, other servers with 404. @throws S3Error */
  async remove(name: string): Promise<void> {
    await this.#unlessMissing(
      this.#send(`DELETE ${name}`, ({ sdk, client }, options) =>
        client.send(new sdk.DeleteObjectCommand(this.#object(name)), options),
      ),
    );
  }

  /** Objects in the order of their names. @param pageSize of one request; default: as many as the server gives. @throws S3Error */
  async *list(prefix: string, pageSize?: number): AsyncGenerator<ListedObject> {
    let next: string | undefined;
    do {
      const params = { Bucket: this.#settings.bucket, Prefix: prefix, MaxKeys: pageSize, ContinuationToken: next };
      const page = await this.#send('GET the bucket', ({ sdk, client }, options) =>
        client.send(new sdk.ListObjectsV2Command(params), options),
      );
      for (const { Key = '', Size = 0, LastModified = new Date(0) } of page.Contents ?? [])
        yield { name: Key, bytes: Size, changedAt: LastModified };
      next = page.NextContinuationToken;
    } while (next !== undefined);
  }

  /** Aborts uploads that were begun before a time and not completed. @returns how many. @throws S3Error */
  async abortUploads(prefix: string, before: number): Promise<number> {
    const params = { Bucket: this.#settings.bucket, Prefix: prefix };
    const { Uploads = [] } = await this.#send('GET the bucket', ({ sdk, client }, options) =>
      client.send(new sdk.ListMultipartUploadsCommand(params), options),
    );
    const old = Uploads.filter(({ Initiated }) => Initiated !== undefined && Initiated.getTime() < before);
    for (const { Key = '', UploadId } of old)
      await this.#unlessMissing(
        this.#send(`DELETE ${Key}`, ({ sdk, client }, options) =>
          client.send(new sdk.AbortMultipartUploadCommand({ ...this.#object(Key), UploadId }), options),
        ),
      );
    return old.length;
  }

  #object(name: string) {
    return { Bucket: this.#settings.bucket, Key: name };
  }

  async #hasBytes(name: string, bytes: number): Promise<boolean> {
    for await (const found of this.list(name)) if (found.name === name) return found.bytes === bytes;
    return false;
  }

  async #unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
    return await work.catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw error;
    });
  }

  async #send<T>(request: string, work: Work<T>): Promise<T> {
    // Not a timeout of the signal: the library would end a body with it that is still being read.
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), this.#settings.timeout);
    return await this.#turns
      .run(async () => {
        try {
          const result = await work(await this.#connect(), { abortSignal: late.signal });
          this.#report(undefined);
          return result;
        } catch (error) {
          const failure = failureOf(request, error, late.signal.aborted);
          this.#report(failure);
          throw failure;
        }
      })
      .finally(() => clearTimeout(timer));
  }

  #connect(): Promise<Connection> {
    const { endpoint, region, accessKeyId, secretAccessKey } = this.#settings;
    this.#connection ??= import('@aws-sdk/client-s3').then((sdk) => ({
      sdk,
      client: new sdk.S3Client({
        endpoint,
        region,
        credentials: { accessKeyId, secretAccessKey },
        forcePathStyle: true,
        maxAttempts,
        // Other servers do not know the newer checksums. Each body is signed with its SHA-256.
        requestChecksumCalculation: 'WHEN_REQUIRED',
        responseChecksumValidation: 'WHEN_REQUIRED',
        requestHandler: {
          httpAgent: { maxSockets: limits.concurrency },
          httpsAgent: { maxSockets: limits.concurrency },
        },
      }),
    }));
    return this.#connection;
  }

  /** One line for an outage, and one for its end. A refusal of one file is no outage. */
  #report(failure: S3Error | undefined): void {
    if (failure && isMissing(failure)) return;
    if (failure && !this.#isFailing) this.#log?.warn({ err: failure }, 'the object storage has failed');
    if (!failure && this.#isFailing) this.#log?.info('the object storage works again');
    this.#isFailing = failure !== undefined;
  }

  /** The body of an answer. It fails when nothing arrives for the timeout. */
  async *#inTime(request: string, body: Readable): AsyncGenerator<Uint8Array> {
    const wait = () => setTimeout(() => body.destroy(new S3Error(request, 0, 'timeout')), this.#settings.timeout);
    let timer = wait();
    try {
      for await (const chunk of body) {
        // The time of a slow reader does not count.
        clearTimeout(timer);
        yield chunk;
        timer = wait();
      }
    } catch (error) {
      throw failureOf(request, error, false);
    } finally {
      clearTimeout(timer);
      body.destroy();
    }
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof S3Error && (error.code === 'NoSuchKey' || error.code === 'NoSuchUpload');

/** What the library reports has parts of the request and of the answer. Of these only the code is kept. */
function failureOf(request: string, error: unknown, isLate: boolean): S3Error {
  if (error instanceof S3Error) return error;
  if (isLate) return new S3Error(request, 0, 'timeout');
  const { $metadata, Code, name, code } = error as Partial<Sdk.S3ServiceException> & { Code?: string; code?: string };
  const status = $metadata?.httpStatusCode ?? 0;
  const word = status === 0 ? (code ?? name) : (Code ?? name);
  return new S3Error(request, status, /^[\w.]{1,100}$/.test(word ?? '') ? `${word}` : '');
}
