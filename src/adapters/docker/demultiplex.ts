import { Duplex } from 'node:stream';

const headerBytes = 8;
/**
 * Milliseconds that the consumer of the output may take before other sockets and requests are served, and the bytes of one step. A
 * socket delivers 64 KiB up to 32 times in a row (libuv), and decrypting thousands of small packets takes long.
 */
const turn = { milliseconds: 1, bytes: 8 * 1024 };

/**
 * The byte stream of an exec without a terminal: the engine sends standard output and standard error in frames (one byte
 * that tells which, three of zeros, four of length). Standard output comes out; standard error is dropped. Back-pressure
 * goes through to the engine. Frame format: Docker Engine API, "Attach to a container".
 */
export function demultiplex(raw: Duplex): Duplex {
  let header: Buffer = Buffer.alloc(0);
  let remaining = 0;
  let isOutput = false;
  /** Received bytes that are not parsed yet. */
  let pending: Buffer = Buffer.alloc(0);
  let isYielding = false;
  let isWanted = true;
  /** The callback of a write that the engine has not accepted yet. */
  let waiting: (() => void) | undefined;
  const goOn = (): void => {
    const done = waiting;
    waiting = undefined;
    done?.();
  };

  const stream = new Duplex({
    // A key is a few bytes and a screen a few thousand: small output must not wait for more.
    highWaterMark: 256 * 1024,
    read: () => {
      isWanted = true;
      if (!isYielding) raw.resume();
    },
    write: (chunk: Buffer, _encoding, done) => {
      if (raw.destroyed || raw.write(chunk)) done();
      else waiting = done;
    },
    final: (done) => {
      if (raw.destroyed) done();
      else raw.end(() => done());
    },
    destroy: (error, done) => {
      raw.destroy();
      done(error);
    },
  });

  const takeSome = (): void => {
    if (remaining === 0) {
      const part = pending.subarray(0, headerBytes - header.length);
      header = header.length === 0 ? part : Buffer.concat([header, part]);
      pending = pending.subarray(part.length);
      if (header.length < headerBytes) return;
      isOutput = header[0] === 1;
      remaining = header.readUInt32BE(4);
      header = Buffer.alloc(0);
    } else {
      const part = pending.subarray(0, Math.min(remaining, turn.bytes));
      pending = pending.subarray(part.length);
      remaining -= part.length;
      if (isOutput) isWanted = stream.push(part);
    }
  };
  const takeTurn = (): void => {
    const end = performance.now() + turn.milliseconds;
    while (pending.length > 0 && performance.now() < end) takeSome();
  };
  const goOnReading = (): void => {
    takeTurn();
    isYielding = pending.length > 0;
    if (isYielding) setImmediate(goOnReading);
    else if (isWanted) raw.resume();
  };

  raw.on('data', (chunk: Buffer) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    if (isYielding) return;
    takeTurn();
    isYielding = pending.length > 0 || chunk.length >= turn.bytes;
    if (!isYielding && isWanted) return;
    raw.pause();
    if (isYielding) setImmediate(goOnReading);
  });
  raw.on('drain', goOn);
  // With a pending write, the engine keeps its end of the connection open for minutes after the program has ended.
  raw.on('end', () => raw.destroy());
  raw.on('error', (error) => stream.destroy(error));
  // Data received before the close must still be read: the stream ends after it instead of being destroyed.
  raw.on('close', () => {
    while (pending.length > 0) takeSome();
    // Pending writes will never be accepted. A waiting write would prevent the stream from closing and its user from noticing.
    goOn();
    stream.push(null);
    if (!stream.writableEnded) stream.end();
  });
  return stream;
}
