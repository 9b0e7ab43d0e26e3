import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Duplex } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { demultiplex } from './demultiplex.ts';

function frame(kind: 1 | 2, content: string | Buffer): Buffer {
  const body = Buffer.from(content as string);
  const header = Buffer.alloc(8);
  header[0] = kind;
  header.writeUInt32BE(body.length, 4);
  return Buffer.concat([header, body]);
}

/** The engine's end of a connection. It emits what is pushed and stores what it receives. */
function connection(highWaterMark = 65_536) {
  const written: Buffer[] = [];
  const raw = new Duplex({
    highWaterMark,
    read: () => {},
    write: (chunk: Buffer, _encoding, done) => {
      written.push(chunk);
      done();
    },
  });
  return { raw, written };
}

function send(raw: Duplex, bytes: Buffer, size: number): void {
  for (let offset = 0; offset < bytes.length; offset += size) raw.push(bytes.subarray(offset, offset + size));
  raw.push(null);
}

describe('an exec without a terminal', () => {
  const conversation = Buffer.concat([
    frame(1, 'one '),
    frame(2, 'an error'),
    frame(1, ''),
    frame(1, 'two '),
    frame(2, ''),
    frame(1, Buffer.alloc(300, '.')),
  ]);

  for (const size of [1, 2, 3, 7, 8, 9, 11, 1000]) {
    it(`returns only standard output, for any sizes of pieces (${size} bytes)`, async () => {
      const { raw } = connection();
      const output = text(demultiplex(raw));
      send(raw, conversation, size);
      assert.equal(await output, `one two ${'.'.repeat(300)}`);
    });
  }

  it('keeps every byte in order over many megabytes with a slow reader', async () => {
    const { raw } = connection();
    const stream = demultiplex(raw);
    const bytes = Buffer.from(Uint32Array.from({ length: 1_000_000 }, (_, index) => index).buffer);
    const frames: Buffer[] = [];
    for (let offset = 0; offset < bytes.length; offset += 30_011)
      frames.push(frame(1, bytes.subarray(offset, offset + 30_011)));
    send(raw, Buffer.concat(frames), 65_536);
    const got: Buffer[] = [];
    for await (const chunk of stream) {
      got.push(chunk as Buffer);
      await turn();
    }
    assert.ok(Buffer.concat(got).equals(bytes));
  });

  it('applies back-pressure to the engine while nobody reads', async () => {
    const { raw } = connection(16_384);
    const stream = demultiplex(raw);
    let isFull = false;
    for (let index = 0; index < 1000 && !isFull; index += 1) {
      isFull = !raw.push(frame(1, Buffer.alloc(10_000)));
      await turn();
    }
    assert.ok(isFull, 'ten megabytes went in although nobody reads');
    assert.ok(stream.readableLength < 400_000, `${stream.readableLength} bytes are held`);
    stream.destroy();
  });

  it('sends input unchanged, and its end', async () => {
    const { raw, written } = connection();
    const stream = demultiplex(raw);
    const ended = once(raw, 'finish');
    stream.write('ls\n');
    stream.end('exit\n');
    await ended;
    assert.equal(Buffer.concat(written).toString(), 'ls\nexit\n');
  });

  it('ends in the middle of a frame when the engine ends', async () => {
    const { raw } = connection();
    const output = buffer(demultiplex(raw));
    send(raw, frame(1, 'half of this').subarray(0, 12), 100);
    assert.equal((await output).toString(), 'half');
  });

  it('keeps output received before the end for a late reader', async () => {
    const { raw } = connection();
    const stream = demultiplex(raw);
    const text = 'x'.repeat(100_000);
    send(raw, frame(1, text), 5000);
    const closed = once(raw, 'close');
    await turn();
    raw.destroy();
    await closed;
    assert.equal((await buffer(stream)).toString(), text);
  });

  it('closes with the connection even if the engine no longer accepts input', async () => {
    // The write never completes: the engine does not read, then closes its end.
    const raw = new Duplex({ highWaterMark: 1000, read: () => {}, write: () => {} });
    const stream = demultiplex(raw);
    const closed = once(stream, 'close', { signal: AbortSignal.timeout(5000) });
    stream.write(Buffer.alloc(5000));
    stream.write(Buffer.alloc(5000));
    let output = '';
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    raw.push(frame(1, 'the last words'));
    await turn();
    raw.destroy();
    await closed;
    assert.equal(output, 'the last words');
  });

  it('closes after the program has ended, even if the engine keeps its connection open', async () => {
    const raw = new Duplex({ highWaterMark: 1000, read: () => {}, write: () => {} });
    const stream = demultiplex(raw);
    const closed = once(stream, 'close', { signal: AbortSignal.timeout(5000) });
    stream.write(Buffer.alloc(5000));
    stream.resume();
    raw.push(null);
    await closed;
    assert.ok(raw.destroyed);
  });

  it('fails with the connection, and closes it when it is destroyed', async () => {
    const failing = connection();
    const stream = demultiplex(failing.raw);
    failing.raw.destroy(new Error('reset'));
    const [error] = await once(stream, 'error');
    assert.match(String(error), /reset/);

    const dropped = connection();
    const closed = once(dropped.raw, 'close');
    demultiplex(dropped.raw).destroy();
    await closed;
  });
});
