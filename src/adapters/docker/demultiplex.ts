import { Duplex } from 'node:stream';

const headerBytes = 8;

/**
 * The byte stream of an exec without a terminal: the engine sends standard output and standard error in frames (one byte
 * that tells which, three of zeros, four of length). Standard output comes out; standard error is dropped. Back-pressure
 * goes through to the engine. Frame format: Docker Engine API, "Attach to a container".
 */
export function demultiplex(raw: Duplex): Duplex {
  let header: Buffer = Buffer.alloc(0);
  let remaining = 0;
  let isOutput = false;
  /** Of a write that the engine has not taken yet. */
  let waiting: (() => void) | undefined;
  const goOn = (): void => {
    const done = waiting;
    waiting = undefined;
    done?.();
  };

  const stream = new Duplex({
    // A key is a few bytes and a screen a few thousand: what comes must not wait for more.
    highWaterMark: 256 * 1024,
    read: () => void raw.resume(),
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

  const take = (chunk: Buffer): boolean => {
    let offset = 0;
    let wantsMore = true;
    while (offset < chunk.length) {
      if (remaining === 0) {
        const part = chunk.subarray(offset, offset + headerBytes - header.length);
        header = header.length === 0 ? part : Buffer.concat([header, part]);
        offset += part.length;
        if (header.length < headerBytes) break;
        isOutput = header[0] === 1;
        remaining = header.readUInt32BE(4);
        header = Buffer.alloc(0);
      } else {
        const part = chunk.subarray(offset, offset + remaining);
        offset += part.length;
        remaining -= part.length;
        if (isOutput) wantsMore = stream.push(part);
      }
    }
    return wantsMore;
  };

  raw.on('data', (chunk: Buffer) => {
    if (!take(chunk)) raw.pause();
  });
  raw.on('drain', goOn);
  // An engine that is still to be sent something keeps its end of the connection open for minutes after the program has ended.
  raw.on('end', () => raw.destroy());
  raw.on('error', (error) => stream.destroy(error));
  // What came before the close is still to be read: the stream ends after it, and is not destroyed under its reader.
  raw.on('close', () => {
    // Nobody takes what is still to be written. A write that waits on would keep the stream from closing, and its user from noticing.
    goOn();
    stream.push(null);
    if (!stream.writableEnded) stream.end();
  });
  return stream;
}
