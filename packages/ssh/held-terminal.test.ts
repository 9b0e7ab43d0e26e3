import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Duplex } from 'node:stream';
import { describe, it } from 'node:test';
import { HeldTerminal } from './held-terminal.ts';

const frame = (type: string, ...parts: (Buffer | number[])[]): Buffer => {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const head = Buffer.alloc(5);
  head.write(type, 0, 'latin1');
  head.writeUInt32BE(body.length, 1);
  return Buffer.concat([head, body]);
};
const number = (value: number | bigint): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
};
const hello = (received = 0, start = 0, end = 0, size = [0, 80, 0, 24]): Buffer =>
  frame('H', number(received), number(start), number(end), size);
const live = frame('L');

/** The side of the holder. */
function newHolder(isNew = false) {
  const written: Buffer[] = [];
  const channel = new Duplex({
    read: () => undefined,
    write: (bytes: Buffer, _encoding, done) => {
      written.push(bytes);
      done();
    },
  });
  let hangUps = 0;
  const terminal = new HeldTerminal({
    holder: '/a/socket',
    isNew,
    channel,
    ending: () => ({ code: null }),
    hangUp: () => {
      hangUps += 1;
    },
  });
  const output: Buffer[] = [];
  const read = () => terminal.on('data', (bytes: Buffer) => output.push(bytes));
  return {
    ...{ channel, terminal, read },
    output: () => Buffer.concat(output).toString(),
    written: () => Buffer.concat(written),
    hangUps: () => hangUps,
  };
}

describe('the side of the service of a held terminal', () => {
  it('parses frames that are split at any byte', async () => {
    const holder = newHolder();
    const attached = holder.terminal.attach(2);
    const first = [hello(7, 2, 6), frame('O', [97, 98]), frame('W', [0, 100, 0, 30]), frame('O', [99, 100]), live];
    const rest = [frame('O', Buffer.from('new')), frame('R', number(9)), frame('X', [0, 0, 0, 3])];
    const kept = { start: 2, size: { cols: 80, rows: 24 }, parts: [Buffer.from('a'), Buffer.from('b')] };
    for (const byte of Buffer.concat(first)) holder.channel.push(Buffer.from([byte]));
    assert.deepEqual(await attached, {
      ...kept,
      parts: [...kept.parts, { cols: 100, rows: 30 }, Buffer.from('c'), Buffer.from('d')],
    });
    assert.deepEqual([holder.terminal.received, holder.terminal.accepted], [7, 7]);
    holder.read();
    holder.terminal.write('xy');
    for (const byte of Buffer.concat(rest)) holder.channel.push(Buffer.from([byte]));
    assert.deepEqual(await holder.terminal.exit, { code: 3 });
    assert.equal(holder.output(), 'new');
    assert.equal(holder.terminal.received, 9);
    assert.deepEqual(holder.written(), Buffer.concat([frame('A', number(2)), frame('I', Buffer.from('xy'))]));
  });

  it('reads what a new shell wrote before as output', async () => {
    const holder = newHolder(true);
    const attached = holder.terminal.attach(0);
    holder.channel.push(Buffer.concat([hello(0, 0, 6), frame('O', Buffer.from('prompt')), live]));
    assert.deepEqual((await attached)?.parts, []);
    holder.read();
    holder.channel.push(frame('X', [255, 255, 255, 255]));
    assert.deepEqual(await holder.terminal.exit, { code: null });
    assert.equal(holder.output(), 'prompt');
  });

  it('confirms no input that was not sent, and limits sizes', async () => {
    const holder = newHolder();
    const attached = holder.terminal.attach(0);
    holder.channel.push(Buffer.concat([hello(5, 0, 0, [255, 255, 0, 0]), live]));
    assert.deepEqual((await attached)?.size, { cols: 500, rows: 1 });
    holder.read();
    holder.terminal.write('ab');
    let confirmed = 0;
    holder.terminal.onReceived = () => {
      confirmed = holder.terminal.received;
    };
    holder.channel.push(frame('R', number(1_000_000)));
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(confirmed, 7);
    holder.channel.push(frame('R', number(1)));
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(confirmed, 7);
    holder.terminal.destroy();
  });

  it('ends when another connection takes over, and does not end the shell', async () => {
    const holder = newHolder();
    const attached = holder.terminal.attach(0);
    holder.channel.push(Buffer.concat([hello(), live, frame('T')]));
    await attached;
    holder.read();
    assert.deepEqual(await holder.terminal.exit, { code: null, isTakenOver: true });
    assert.equal(holder.hangUps(), 0);
  });

  for (const [what, bytes] of [
    ['another first frame', live],
    ['less output than announced', Buffer.concat([hello(0, 0, 5), live])],
    ['more output than announced', Buffer.concat([hello(0, 0, 2), frame('O', [1, 2, 3])])],
    ['more output than any holder keeps', hello(0, 0, 2 ** 40)],
    ['an end before the start', hello(0, 5, 4)],
    ['a number that is not one', frame('H', number(2n ** 63n), number(0), number(0), [0, 80, 0, 24])],
    ['a long message', Buffer.concat([hello(), frame('R', Buffer.alloc(1000))])],
    ['an unknown frame', frame('?')],
  ] as const)
    it(`refuses a holder that sends ${what}`, async () => {
      const holder = newHolder();
      const attached = holder.terminal.attach(0);
      holder.channel.push(bytes);
      assert.equal(await attached, undefined);
      holder.terminal.destroy();
      await holder.terminal.exit;
    });

  it('survives any bytes', async () => {
    for (let round = 0; round < 500; round += 1) {
      const holder = newHolder();
      const attached = holder.terminal.attach(0);
      if (round % 2 === 0) holder.channel.push(Buffer.concat([hello(), live]));
      holder.read();
      for (let part = 0; part < 5; part += 1) {
        const bytes = randomBytes(1 + Math.floor(Math.random() * 40));
        bytes[0] = 'AHOWLRXTI'.charCodeAt(Math.floor(Math.random() * 9));
        if (bytes.length > 4) bytes.writeUInt32BE(Math.floor(Math.random() * 30), 1);
        if (!holder.channel.destroyed) holder.channel.push(bytes);
      }
      if (!holder.channel.destroyed) holder.channel.push(null);
      await attached;
      holder.terminal.destroy();
      await holder.terminal.exit;
      assert.ok(holder.terminal.received <= holder.terminal.accepted);
    }
  });
});
