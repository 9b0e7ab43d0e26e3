import assert from 'node:assert/strict';
import { type EventSourceMessage, EventSourceParserStream } from 'eventsource-parser/stream';
import type { TestServer } from './server.ts';
import { within } from './within.ts';

/** Reads a stream of server-sent events. */
export class EventReader implements AsyncDisposable {
  readonly #events: ReadableStreamDefaultReader<EventSourceMessage>;
  readonly #end: AbortController;

  private constructor(events: ReadableStreamDefaultReader<EventSourceMessage>, end: AbortController) {
    this.#events = events;
    this.#end = end;
  }

  /** @param base the address of one process */
  static async open(
    server: Pick<TestServer, 'url'>,
    path: string,
    token: string,
    base = server.url,
  ): Promise<EventReader> {
    const end = new AbortController();
    const headers = { authorization: `Bearer ${token}` };
    const { status, headers: found, body } = await fetch(base + path, { headers, signal: end.signal });
    assert.deepEqual([status, found.get('content-type')], [200, 'text/event-stream; charset=utf-8']);
    assert.ok(body);
    const events = body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
    return new EventReader(events.getReader(), end);
  }

  /** The next event. Undefined at the end of the stream. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary answers
  async next(): Promise<{ event: string | undefined; data: any } | undefined> {
    const { done, value } = await within(90_000, 'the next event', this.#events.read());
    return done ? undefined : { event: value.event, data: JSON.parse(value.data) };
  }

  /** The first event that has what a test waits for. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary answers
  async until(isFound: (data: any) => boolean): Promise<any> {
    for (;;) {
      const next = await this.next();
      assert.ok(next, 'the stream has ended');
      if (isFound(next.data)) return next.data;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort();
  }
}
