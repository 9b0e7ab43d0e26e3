import { PassThrough, type Writable } from 'node:stream';

/**
 * A stream of server-sent events (WHATWG HTML, section 9.2).
 * @param maxUnread bytes that a client may leave unread; then the stream is destroyed, and the client connects again
 */
export const newEventStream = (maxUnread: number): PassThrough => new PassThrough({ highWaterMark: maxUnread });

/** Writes an event with JSON, unless the stream has ended: that can happen while its data is read. */
export function writeEvent(stream: Writable, event: string, json: string): void {
  if (!stream.writable) return;
  if (stream.writableLength > stream.writableHighWaterMark) stream.destroy();
  else stream.write(`event: ${event}\ndata: ${json}\n\n`);
}

/** Without it, a broken connection is noticed only at the next event. */
export function writeComment(stream: Writable): void {
  if (stream.writable) stream.write(': nothing has changed\n\n');
}
