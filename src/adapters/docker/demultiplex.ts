import type { Duplex } from 'node:stream';
import { fairDuplex, turn } from '../engine/fair-duplex.ts';

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

  const takeSome = (pending: Buffer, push: (part: Buffer) => void): Buffer => {
    if (remaining === 0) {
      const part = pending.subarray(0, headerBytes - header.length);
      header = header.length === 0 ? part : Buffer.concat([header, part]);
      const rest = pending.subarray(part.length);
      if (header.length < headerBytes) return rest;
      isOutput = header[0] === 1;
      remaining = header.readUInt32BE(4);
      header = Buffer.alloc(0);
      return rest;
    }
    const part = pending.subarray(0, Math.min(remaining, turn.bytes));
    remaining -= part.length;
    if (isOutput) push(part);
    return pending.subarray(part.length);
  };
  const { stream, received, drained, closed } = fairDuplex(
    {
      isDestroyed: () => raw.destroyed,
      pause: () => raw.pause(),
      resume: () => raw.resume(),
      write: (chunk) => raw.write(chunk),
      end: (done) => raw.end(() => done()),
      destroy: () => raw.destroy(),
    },
    takeSome,
  );

  raw.on('data', received);
  raw.on('drain', drained);
  // With a pending write, the engine keeps its end of the connection open for minutes after the program has ended.
  raw.on('end', () => raw.destroy());
  raw.on('error', (error) => stream.destroy(error));
  raw.on('close', closed);
  return stream;
}
