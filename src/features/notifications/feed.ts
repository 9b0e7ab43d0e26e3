import type { PassThrough, Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { CoalescingRunner } from '../../../packages/limits/coalescing-runner.ts';
import { newEventStream, writeComment, writeEvent } from '../../../packages/limits/event-stream.ts';
import { TooManyRequestsError, UnauthorizedError, UnavailableError } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import type { NotificationStore } from './store.ts';

export type NotificationFeedParts = {
  store: Pick<NotificationStore, 'listsOf' | 'membersAmong'>;
  options: {
    /** Streams at once in this process. */
    maxStreams: number;
    maxStreamsPerUser: number;
    /** Milliseconds between two checks of the tokens. */
    interval?: number;
    /** Milliseconds before another try where the database failed. */
    retryPause?: number;
  };
  log: FastifyBaseLogger;
};

type Reader = {
  stream: PassThrough;
  admit: () => Caller | Promise<Caller>;
  /** The list that was sent last. */
  last?: string;
};

/** Milliseconds in which changes are put together: a class is notified at once. */
const pause = 250;
/** Users whose lists one statement reads. */
const batch = 200;
/** Bytes that a client may leave unread. It then connects again. */
const maxUnread = 256 * 1024;

/**
 * Streams the notifications of users to their pages. The database notifies processes of the users whose lists have changed. Only lists of
 * connected users are read, many in one statement. A stream on which nothing happens costs no statement.
 */
export class NotificationFeed implements AsyncDisposable {
  readonly #parts: NotificationFeedParts;
  readonly #readers = new Map<number, Set<Reader>>();
  readonly #stale = new Set<number>();
  readonly #timer: NodeJS.Timeout;
  readonly #rounds = new CoalescingRunner(() => this.#refreshAll());
  readonly #end = new AbortController();
  #count = 0;

  constructor(parts: NotificationFeedParts) {
    this.#parts = parts;
    this.#timer = setInterval(() => void this.#check(), parts.options.interval ?? 10_000);
  }

  /**
   * Server-sent events: `notifications` with the whole list, at first and after each change. The stream ends with its token.
   * @param admit the caller, as long as the request's token is valid @throws UnauthorizedError
   * @throws UnavailableError, TooManyRequestsError with too many streams
   */
  async watch(admit: Reader['admit']): Promise<Readable> {
    const { id } = await admit();
    const { maxStreams, maxStreamsPerUser } = this.#parts.options;
    if (this.#count >= maxStreams)
      throw new UnavailableError('overloaded', 'Too many pages are connected', { retryAfter: 30 });
    const own = this.#readers.get(id) ?? new Set();
    if (own.size >= maxStreamsPerUser)
      throw new TooManyRequestsError('too_many_requests', 'Too many of your pages are connected', 30);
    const reader: Reader = { stream: newEventStream(maxUnread), admit };
    this.#readers.set(id, own.add(reader));
    this.#count += 1;
    reader.stream.once('close', () => this.#leave(id, reader));
    // The headers leave the service with the first bytes.
    reader.stream.write(': connected\n\n');
    if (this.#end.signal.aborted) reader.stream.end();
    this.#refreshSoon([id]);
    return reader.stream;
  }

  /** Reports changed lists. @param users their ids with commas, or `*` if anything may have changed */
  changed(users: string): void {
    this.#refreshSoon(users === '*' ? this.#readers.keys() : users.split(',').map(Number));
  }

  /** Reports a changed announcement. @param to the id of its class, `all`, or `*` */
  announced(to: string): void {
    if (to === '*' || to === 'all') this.changed('*');
    else if (this.#readers.size > 0) this.#findMembers(Number(to));
  }

  #findMembers(classId: number): void {
    this.#parts.store.membersAmong(classId, [...this.#readers.keys()]).then(
      (members) => this.#refreshSoon(members),
      // After an interruption of the database everything is read again.
      (error: unknown) => this.#parts.log.warn({ err: error }, 'the readers of an announcement were not found'),
    );
  }

  /** Ends all streams. Resolves when no list is being read. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort();
    clearInterval(this.#timer);
    for (const { stream } of this.#all()) stream.end();
    await this.#rounds.idle();
  }

  *#all(): Iterable<Reader> {
    for (const readers of this.#readers.values()) yield* readers;
  }

  #leave(id: number, reader: Reader): void {
    const own = this.#readers.get(id);
    if (!own?.delete(reader)) return;
    this.#count -= 1;
    if (own.size === 0) this.#readers.delete(id);
  }

  /** Ends streams whose token is no longer valid. A broken connection is noticed by the comment. */
  async #check(): Promise<void> {
    for (const { stream, admit } of [...this.#all()]) {
      try {
        const admitted = admit();
        // Usually from memory. Waiting for each of thousands would delay everything else of this process.
        if (admitted instanceof Promise) await admitted;
        writeComment(stream);
      } catch (error) {
        if (error instanceof UnauthorizedError) stream.end();
        else this.#parts.log.warn({ err: error }, 'the token of a stream of notifications could not be checked');
      }
    }
  }

  #refreshSoon(users: Iterable<number>): void {
    for (const id of users) if (this.#readers.has(id)) this.#stale.add(id);
    if (this.#stale.size > 0) void this.#rounds.run();
  }

  async #refreshAll(): Promise<void> {
    while (this.#stale.size > 0 && (await this.#wait(pause))) await this.#refresh();
  }

  async #refresh(): Promise<void> {
    const ids = [...this.#stale].slice(0, batch);
    for (const id of ids) this.#stale.delete(id);
    try {
      const lists = await this.#parts.store.listsOf(ids);
      for (const [id, list] of lists) for (const reader of this.#readers.get(id) ?? []) send(reader, list);
    } catch (error) {
      this.#parts.log.warn({ err: error }, 'notifications were not read');
      for (const id of ids) if (this.#readers.has(id)) this.#stale.add(id);
      await this.#wait(this.#parts.options.retryPause ?? 2000);
    }
  }

  /** @returns false if the feed ends meanwhile */
  #wait(milliseconds: number): Promise<boolean> {
    return delay(milliseconds, true, { signal: this.#end.signal }).catch(() => false);
  }
}

function send(reader: Reader, list: object): void {
  const text = JSON.stringify(list);
  if (text === reader.last) return;
  reader.last = text;
  writeEvent(reader.stream, 'notifications', text);
}
