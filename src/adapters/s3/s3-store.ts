import { Readable } from 'node:stream';
import { UnavailableError } from '../../errors.ts';
import {
  type ByteRange,
  checkKey,
  type GrowingObject,
  isKey,
  limited,
  type ObjectStore,
  type OpenObject,
  type PutOptions,
  type StoredObject,
} from '../../ports/object-store.ts';
import { Bucket, type BucketSettings, type ListedObject, S3Error, type S3Log } from './bucket.ts';
import { GrowingParts, lengthOf, type Part, parsePartName, partAt, partName, rangeWithin } from './growing-parts.ts';

export type S3StoreSettings = BucketSettings & {
  /** The beginning of every object's name in the bucket, or nothing. */
  prefix: string;
  /** Milliseconds that text appended to a file waits at most before it is stored. */
  appendDelay: number;
  /** Entries of one page of a list; default: as many as the server gives. */
  listPage?: number;
};

/** How often a reader of a growing file lists its parts again, because one was replaced by a longer one. */
const mostLists = 10;

/** Stores files in a bucket of a server that speaks S3. The server must show an object to all readers as soon as it has stored it. */
export class S3Store implements ObjectStore {
  readonly appendDelay: number;
  readonly place: string;
  readonly #bucket: Bucket;
  readonly #prefix: string;
  readonly #listPage: number | undefined;

  constructor({ prefix, appendDelay, listPage, ...settings }: S3StoreSettings, log?: S3Log) {
    this.appendDelay = appendDelay;
    this.place = `${settings.endpoint}/${settings.bucket}${prefix === '' ? '' : `/${prefix}`}`;
    this.#bucket = new Bucket(settings, log);
    this.#prefix = prefix === '' ? '' : `${prefix}/`;
    this.#listPage = listPage;
  }

  async check(): Promise<void> {
    await attempt('The object storage cannot be used', () => this.#bucket.list(this.#prefix, 1).next());
  }

  async put(key: string, body: Uint8Array | AsyncIterable<Uint8Array>, { maxBytes }: PutOptions): Promise<number> {
    const name = this.#nameOf(key);
    return await attempt('The file cannot be stored now', () => this.#bucket.upload(name, limited(body, maxBytes)));
  }

  async begin(key: string): Promise<GrowingObject> {
    const name = this.#nameOf(key);
    const nameOf = (part: Part): string => `${name}/${partName(part)}`;
    const storage = {
      write: (part: Part, body: Buffer) =>
        attempt('The file cannot be stored now', () => this.#bucket.put(nameOf(part), body)),
      remove: (part: Part) => this.#bucket.remove(nameOf(part)).catch(() => undefined),
    };
    return new GrowingParts(storage, this.appendDelay);
  }

  async open(key: string, range?: ByteRange): Promise<OpenObject | undefined> {
    const whole = await this.#openWhole(this.#nameOf(key), range);
    if (whole) return whole;
    const parts = await this.#partsOf(key);
    const length = lengthOf(parts);
    if (length === 0) return undefined;
    const { start, end } = range ?? { start: 0, end: length - 1 };
    return {
      stream: Readable.from(this.#grown(key, parts, { start, end }), { objectMode: false }),
      bytes: end - start + 1,
    };
  }

  async status(key: string): Promise<StoredObject | undefined> {
    const name = this.#nameOf(key);
    for await (const found of this.#found(name)) if (found.key === key) return found;
    return undefined;
  }

  async remove(key: string): Promise<void> {
    const name = this.#nameOf(key);
    await attempt('The file cannot be removed now', async () => {
      for await (const listed of this.#listed(name)) {
        if (listed.name === name || listed.name.startsWith(`${name}/`)) await this.#bucket.remove(listed.name);
      }
    });
  }

  async *list(folder: string): AsyncGenerator<StoredObject> {
    yield* this.#found(`${this.#prefix}${folder}/`);
  }

  /** An upload that was begun and not completed takes room, and no list of objects shows it. */
  async removeUnfinished(folder: string, olderThanSeconds: number): Promise<number> {
    const latest = Date.now() - olderThanSeconds * 1000;
    return await attempt('The files cannot be listed now', () =>
      this.#bucket.abortUploads(`${this.#prefix}${folder}/`, latest),
    );
  }

  async #openWhole(name: string, range?: ByteRange): Promise<OpenObject | undefined> {
    const found = await attempt('The file cannot be read now', () => this.#bucket.open(name, range));
    if (!found) return undefined;
    const { chunks, bytes, close } = found;
    // A stream that is destroyed before it is read has not begun to read the body, which would keep its connection.
    const stream = Readable.from(readable(chunks), { objectMode: false }).once('close', close);
    return { stream, bytes };
  }

  async *#grown(key: string, listed: readonly Part[], { start, end }: ByteRange): AsyncGenerator<Uint8Array> {
    let parts = listed;
    let lists = 0;
    for (let at = start; at <= end; ) {
      const part = partAt(parts, at);
      const range = part && rangeWithin(part, at, end);
      const found = part && range && (await this.#openWhole(`${this.#nameOf(key)}/${partName(part)}`, range));
      if (found) {
        yield* found.stream;
        at += found.bytes;
        continue;
      }
      lists += 1;
      if (lists > mostLists)
        throw new UnavailableError('storage_unavailable', 'The file was removed while it was read');
      parts = await this.#partsOf(key);
    }
  }

  async #partsOf(key: string): Promise<Part[]> {
    const beginning = `${this.#nameOf(key)}/`;
    const parts: Part[] = [];
    for await (const { name } of this.#listed(beginning)) {
      const part = parsePartName(name.slice(beginning.length));
      if (part) parts.push(part);
    }
    return parts;
  }

  /** Files whose names begin so. A list is in the order of the names, so the parts of a file follow each other. */
  async *#found(beginning: string): AsyncGenerator<StoredObject> {
    let grown: { key: string; parts: Part[]; changedAt: Date } | undefined;
    for await (const { name, bytes, changedAt } of this.#listed(beginning)) {
      const [, key, rest] = /^([^/]+\/[^/]+)(?:\/(.*))?$/.exec(name.slice(this.#prefix.length)) ?? [];
      if (key === undefined || !isKey(key)) continue;
      if (grown && grown.key !== key) yield sizeOf(grown);
      if (grown?.key !== key) grown = undefined;
      if (rest === undefined) yield { key, bytes, changedAt };
      const part = rest === undefined ? undefined : parsePartName(rest);
      if (!part) continue;
      grown ??= { key, parts: [], changedAt };
      grown.parts.push(part);
      if (changedAt > grown.changedAt) grown.changedAt = changedAt;
    }
    if (grown) yield sizeOf(grown);
  }

  async *#listed(beginning: string): AsyncGenerator<ListedObject> {
    try {
      yield* this.#bucket.list(beginning, this.#listPage);
    } catch (error) {
      throw error instanceof S3Error ? unavailable('The files cannot be listed now', error) : error;
    }
  }

  #nameOf(key: string): string {
    return `${this.#prefix}${checkKey(key)}`;
  }
}

const sizeOf = ({ key, parts, changedAt }: { key: string; parts: Part[]; changedAt: Date }): StoredObject => ({
  key,
  bytes: lengthOf(parts),
  changedAt,
});

const unavailable = (detail: string, cause: S3Error): UnavailableError =>
  new UnavailableError('storage_unavailable', detail, { cause });

/** Errors of S3 become ours. Errors of a body, and those that are ours already, stay. */
async function attempt<T>(detail: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof S3Error) throw unavailable(detail, error);
    throw error;
  }
}

async function* readable(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    throw error instanceof S3Error ? unavailable('The file cannot be read now', error) : error;
  }
}
