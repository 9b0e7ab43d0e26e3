import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import type { Socket } from 'node:net';
import { after, before, it } from 'node:test';
import { describeLong, rounds } from '../rounds.ts';
import { engineSkip, TestServer, type TestUser } from '../server.ts';
import { TerminalClient } from '../terminal-client.ts';
import { until } from '../until.ts';

const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 };

/** A frame, valid according to RFC 6455 or not. `bits` are the upper four bits of the first byte. */
function frame(opcode: number, payload: Buffer | string, { bits = 0x80, isMasked = true, length = -1 } = {}): Buffer {
  const body = Buffer.from(payload);
  const size = length < 0 ? body.length : length;
  const head = Buffer.alloc(size < 126 ? 2 : size < 65_536 ? 4 : 10);
  head[0] = bits | opcode;
  head[1] = (isMasked ? 0x80 : 0) | (size < 126 ? size : size < 65_536 ? 126 : 127);
  if (head.length === 4) head.writeUInt16BE(size, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(size), 2);
  // A mask of zeros changes nothing.
  return Buffer.concat([head, isMasked ? Buffer.alloc(4) : Buffer.alloc(0), body]);
}

const { text, binary, continuation, ping, pong, close } = opcodes;
const last = 0x80;
const malformed: Record<string, Buffer> = {
  'a frame without a mask': frame(text, 'x', { isMasked: false }),
  'text that is no UTF-8': frame(text, Buffer.from([0xff, 0xfe, 0xc0])),
  'text with half a character': frame(text, Buffer.from([0xe2, 0x82])),
  'an unknown opcode': frame(3, 'x'),
  'an unknown control opcode': frame(11, 'x'),
  'a reserved bit': frame(text, 'x', { bits: last | 0x40 }),
  'another reserved bit': frame(text, 'x', { bits: last | 0x10 }),
  'a compressed frame': frame(binary, randomBytes(100), { bits: last | 0x40 }),
  'a continuation of nothing': frame(continuation, 'x'),
  'a text within a text': Buffer.concat([frame(text, 'x', { bits: 0 }), frame(text, 'y')]),
  'a ping in parts': frame(ping, 'x', { bits: 0 }),
  'a ping of 126 bytes': frame(ping, Buffer.alloc(126)),
  'a pong of 64 KiB': frame(pong, Buffer.alloc(65_536)),
  'a close frame of one byte': frame(close, 'x'),
  'a close code that may not be sent': frame(close, Buffer.from([0x03, 0xed])),
  'a close code beyond all': frame(close, Buffer.from([0xff, 0xff])),
  'a reason that is no UTF-8': frame(close, Buffer.from([0x03, 0xe8, 0xff])),
  'a frame that says 2 MiB': frame(binary, 'x', { length: 2 * 1024 * 1024 }),
  'a frame that says 2^62 bytes': frame(binary, 'x', { length: 2 ** 62 }),
  'parts that make more than a message may have': Buffer.concat([
    frame(binary, Buffer.alloc(700_000), { bits: 0 }),
    frame(continuation, Buffer.alloc(700_000)),
  ]),
  'HTTP after the handshake': Buffer.from('GET /api/auth/me HTTP/1.1\r\nHost: x\r\n\r\n'),
};

const deep = 400_000;
const bombs: Record<string, string> = {
  'lists within lists': `{"type":"resize","cols":${'['.repeat(deep)}${']'.repeat(deep)}}`,
  'objects within objects': `{"a":${'{"a":'.repeat(deep / 4)}1${'}'.repeat(deep / 4)}}`,
  'a list that never ends': `{"type":${'['.repeat(deep)}`,
  'very many fields': `{${Array.from({ length: 60_000 }, (_, index) => `"k${index}":1`).join()}}`,
  'a number of a million digits': `{"type":"resize","cols":${'9'.repeat(1_000_000)}}`,
  'a prototype': '{"__proto__":{"type":"ping"},"constructor":{"prototype":{"type":"ping"}}}',
  'types that are none': '{"type":{"toString":"ping"}}',
};
const sizes = [0, -1, 0.5, 1e9, 2 ** 53, '80', null, [80], { valueOf: 80 }, true, 501, '1e2'];

describeLong('a hostile client of a terminal', { skip: engineSkip }, () => {
  let server: TestServer;
  let user: TestUser;
  let container: number;
  let other: TestUser;
  let others: number;
  let neighbour: TerminalClient;

  before(async () => {
    server = await TestServer.start({ maxTerminalsPerUser: 40, maxTerminalsPerContainer: 40 });
    const template = { name: 'Shell', slug: 'shell', image: 'platform-sandbox', memory_mb: 256, cpus: 1 };
    await server.application.db.insertInto('sandbox_templates').values(template).execute();
    const sandbox = async (owner: TestUser): Promise<number> =>
      (await server.post('/api/containers/create', owner.token, {})).body.id;
    [user, other] = [await server.user(), await server.user()];
    [container, others] = [await sandbox(user), await sandbox(other)];
    neighbour = await new TerminalClient(address(others, other), { protocol: 'terminal.v1' }).ready();
  });
  after(() => server?.[Symbol.asyncDispose]());

  const address = (id: number, { token }: TestUser, query = ''): string =>
    `${server.url}/ws/terminal/${id}?token=${token}${query}`;

  /** The socket after the handshake. Only its end is noticed until a test reads from it. */
  async function open(query = '', protocol = 'terminal.v1'): Promise<Socket> {
    const headers = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': randomBytes(16).toString('base64'),
      'sec-websocket-protocol': protocol,
    };
    const upgrading = request(address(container, user, query), { headers });
    upgrading.end();
    const [, socket] = (await once(upgrading, 'upgrade')) as [unknown, Socket];
    socket.on('error', () => {});
    // This side closes immediately after the other one.
    socket.on('end', () => socket.end());
    return socket;
  }

  /** Another terminal works, and so do requests. */
  async function othersAreServed(): Promise<void> {
    const mark = randomBytes(6).toString('hex');
    neighbour.type(`echo ${mark.slice(0, 6)}""${mark.slice(6)}\n`);
    await neighbour.shows(mark);
    assert.equal((await server.get('/api/auth/me', other.token)).status, 200);
  }

  it('is disconnected after invalid frames, without an effect on others', async () => {
    for (const [name, bytes] of Object.entries(malformed)) {
      const socket = await open();
      socket.resume().write(bytes);
      await until(() => socket.destroyed, name);
    }
    await othersAreServed();
  });

  it('gets an error for expensive JSON', async () => {
    const client = new TerminalClient(address(container, user), { protocol: 'terminal.v1' });
    await client.ready();
    for (const [index, [name, bomb]] of Object.entries(bombs).entries()) {
      client.socket.send(bomb);
      await until(() => client.messages.filter(({ type }) => type === 'error').length > index, name);
    }
    for (const cols of sizes) client.send({ type: 'resize', cols, rows: 24 });
    const wanted = Object.keys(bombs).length + sizes.length;
    await until(
      () => client.messages.filter(({ type }) => type === 'error').length === wanted,
      'an error for each size',
    );
    assert.ok(!client.messages.some(({ type }) => type === 'pong'));
    await othersAreServed();
    client.socket.terminate();
  });

  it('can resize in a flood: others are served, and the last size counts', async () => {
    const client = new TerminalClient(address(container, user), { protocol: 'terminal.v1' });
    await client.ready();
    client.type("seq -f '%0400g' 3000\n");
    await client.shows('3000\r\n');
    for (let count = 0; count < rounds(5000, 100_000, 1000); count += 1)
      client.send({ type: 'resize', cols: count % 2 ? 500 : 1, rows: 1 + (count % 300) });
    await othersAreServed();
    client.send({ type: 'resize', cols: 77, rows: 33 });
    await until(() => {
      client.type('stty size\n');
      return client.output.includes('33 77\r\n');
    }, 'the last size');
    client.socket.terminate();
  });

  for (const [name, bytes] of Object.entries({
    pings: frame(ping, Buffer.alloc(125)),
    'messages that are none': frame(text, 'x'),
    'messages that ask for an answer': frame(text, '{"type":"ping"}'),
  })) {
    it(`is disconnected when it sends ${name} and reads no answer`, async () => {
      const socket = await open();
      const many = Buffer.concat(Array.from({ length: 5000 }, () => bytes));
      const before = process.memoryUsage().rss;
      socket.pause();
      let sent = 0;
      for (; !socket.destroyed && sent < 500; sent += 1) {
        await new Promise<void>((resolve) => socket.write(many, () => setImmediate(resolve)));
      }
      assert.ok(socket.destroyed, `after ${sent * 5000} frames`);
      // Messages that were read and answered often leave 80 MB of garbage. 2.5 million waiting answers would be more than 1 GB.
      const grown = process.memoryUsage().rss - before;
      assert.ok(grown < 400_000_000, `${grown} bytes`);
      await othersAreServed();
    });
  }

  it('cannot exceed the size of a message with fragments', async () => {
    const socket = await open();
    socket.resume().write(frame(binary, 'x', { bits: 0 }));
    const empty = Buffer.concat(Array.from({ length: 10_000 }, () => frame(continuation, '', { bits: 0 })));
    const parts = Buffer.concat(
      Array.from({ length: 100 }, () => frame(continuation, Buffer.alloc(10_000), { bits: 0 })),
    );
    for (let count = 0; count < 3; count += 1) socket.write(empty);
    socket.write(parts);
    socket.write(parts);
    await until(() => socket.destroyed, 'its end');
    await othersAreServed();
  });

  it("cannot resume another user's terminal", async () => {
    const { session_id } = await neighbour.message('ready');
    for (const id of [container, others]) {
      const thief = new TerminalClient(address(id, user, `&session=${session_id}`), { protocol: 'terminal.v1' });
      assert.equal((await thief.closed).code, 4404);
      assert.deepEqual([thief.bytes, thief.messages.map(({ type }) => type)], [0, ['error']]);
    }
    await othersAreServed();
  });
});
