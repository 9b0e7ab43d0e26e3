import assert from 'node:assert/strict';
import type { TestServer } from './server.ts';
import { within } from './within.ts';

/** Reads a stream of server-sent events. */
export class EventReader implements AsyncDisposable {
  readonly #parts: AsyncIterator<string>;
  readonly #end: AbortController;
  #text = '';

  private constructor(parts: AsyncIterator<string>, end: AbortController) {
    this.#parts = parts;
    this.#end = end;
  }

  /** @param base the address of one process */
  static async open(server: TestServer, path: string, token: string, base = server.url): Promise<EventReader> {
    const end = new AbortController();
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(base + path, { headers, signal: end.signal });
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
    const text = response.body?.pipeThrough(new TextDecoderStream()) as AsyncIterable<string>;
    return new EventReader(text[Symbol.asyncIterator](), end);
  }

  /** The next event; comments are left out. Undefined at the end of the stream. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary answers
  async next(): Promise<{ event: string; data: any } | undefined> {
    for (;;) {
      const end = this.#text.indexOf('\n\n');
      if (end === -1) {
        const part = await within(20_000, 'the next event', this.#parts.next());
        if (part.done) return undefined;
        this.#text += part.value;
        continue;
      }
      const lines = this.#text.slice(0, end).split('\n');
      this.#text = this.#text.slice(end + 2);
      const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
      const data = field('data');
      if (data !== undefined) return { event: field('event') ?? 'message', data: JSON.parse(data) };
    }
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
