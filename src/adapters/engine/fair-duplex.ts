import { Duplex } from 'node:stream';

/**
 * Milliseconds that the consumer of the output may take before other sockets and requests are served, and the bytes of one step. A
 * socket delivers 64 KiB up to 32 times in a row (libuv), and decrypting thousands of small packets takes long.
 */
export const turn = { milliseconds: 1, bytes: 8 * 1024 };

/** The connection below a stream. */
export type Connection = {
  readonly isDestroyed: () => boolean;
  pause(): void;
  resume(): void;
  /** @returns false if the next write must wait until `drained` is called */
  write(chunk: Buffer): boolean;
  /** No more writes follow. */
  end(done: () => void): void;
  destroy(): void;
};

/** What the connection reports to its stream. */
export type FairDuplex = {
  stream: Duplex;
  received(chunk: Buffer): void;
  drained(): void;
  closed(): void;
};

/**
 * A byte stream over a connection whose output is read in turns, so that one flood does not delay other streams. Back-pressure goes
 * through to the connection.
 * @param takeSome parses some of the received bytes, at most `turn.bytes` of content. @returns the rest
 */
export function fairDuplex(
  connection: Connection,
  takeSome: (pending: Buffer, push: (part: Buffer) => void) => Buffer,
): FairDuplex {
  /** Received bytes that are not parsed yet. */
  let pending: Buffer = Buffer.alloc(0);
  let isYielding = false;
  let isWanted = true;
  /** The callback of a write that the connection has not accepted yet. */
  let waiting: (() => void) | undefined;
  const drained = (): void => {
    const done = waiting;
    waiting = undefined;
    done?.();
  };

  const stream = new Duplex({
    // A key is a few bytes and a screen a few thousand: small output must not wait for more.
    highWaterMark: 256 * 1024,
    read: () => {
      isWanted = true;
      if (!isYielding) connection.resume();
    },
    write: (chunk: Buffer, _encoding, done) => {
      // The callback of a write that is accepted at once may not come before this returns.
      if (connection.isDestroyed() || connection.write(chunk)) done();
      else waiting = done;
    },
    final: (done) => {
      if (connection.isDestroyed()) done();
      else connection.end(done);
    },
    destroy: (error, done) => {
      connection.destroy();
      done(error);
    },
  });

  const push = (part: Buffer): void => {
    isWanted = stream.push(part);
  };
  const takeTurn = (): void => {
    const end = performance.now() + turn.milliseconds;
    while (pending.length > 0 && performance.now() < end) pending = takeSome(pending, push);
  };
  const goOnReading = (): void => {
    takeTurn();
    isYielding = pending.length > 0;
    if (isYielding) setImmediate(goOnReading);
    else if (isWanted) connection.resume();
  };

  return {
    stream,
    drained,
    received: (chunk) => {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      if (isYielding) return;
      takeTurn();
      isYielding = pending.length > 0 || chunk.length >= turn.bytes;
      if (!isYielding && isWanted) return;
      connection.pause();
      if (isYielding) setImmediate(goOnReading);
    },
    // Data received before the close must still be read: the stream ends after it instead of being destroyed.
    closed: () => {
      while (pending.length > 0) pending = takeSome(pending, push);
      // Pending writes will never be accepted. A waiting write would prevent the stream from closing and its user from noticing.
      drained();
      stream.push(null);
      if (!stream.writableEnded) stream.end();
    },
  };
}
