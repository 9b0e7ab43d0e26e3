import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { describeLong } from '../rounds.ts';
import { TestServer, type TestUser } from '../server.ts';
import { until } from '../until.ts';

type Heard = { text: string; isClosed: boolean };

describeLong('a hostile connection', () => {
  let server: TestServer;
  let user: TestUser;
  before(async () => {
    server = await TestServer.start(
      { requestTimeoutSeconds: 5, maxConnections: 150 },
      { engine: { reason: 'this test has none' } },
    );
    user = await server.user();
  });
  after(() => server?.[Symbol.asyncDispose]());

  const open = async (): Promise<Socket> => {
    const socket = connect({ port: Number(new URL(server.url).port), host: '127.0.0.1' });
    socket.on('error', () => {});
    await once(socket, 'connect');
    return socket;
  };
  /** Sends bytes, and reads until the other side closes or `enough` is received. */
  const tell = async (bytes: string | Buffer, enough?: RegExp): Promise<Heard> => {
    const socket = await open();
    let text = '';
    const isEnough = new Promise<boolean>((resolve) => {
      socket.on('data', (chunk: Buffer) => {
        text += chunk.toString('latin1');
        if (enough?.test(text)) resolve(false);
      });
      socket.on('close', () => resolve(true));
    });
    socket.write(bytes);
    const isClosed = await isEnough;
    socket.destroy();
    return { text, isClosed };
  };
  const statuses = (text: string): number[] =>
    [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
  const head = (lines: string[], method = 'POST', path = '/api/auth/login'): string =>
    `${[`${method} ${path} HTTP/1.1`, 'Host: x', ...lines].join('\r\n')}\r\n\r\n`;
  const json = 'Content-Type: application/json';
  const smuggled = 'GET /api/auth/smuggled HTTP/1.1\r\nHost: x\r\n\r\n';
  const isServing = async () => assert.equal((await server.get('/api/auth/me', user.token)).status, 200);

  const shapes: Record<string, string> = {
    'a length and chunks': `${head([json, 'Content-Length: 4', 'Transfer-Encoding: chunked'])}0\r\n\r\n${smuggled}`,
    'chunks and a length': `${head([json, 'Transfer-Encoding: chunked', 'Content-Length: 4'])}0\r\n\r\n${smuggled}`,
    'two lengths': head([json, 'Content-Length: 0', 'Content-Length: 50']) + smuggled,
    'two lengths in one': head([json, 'Content-Length: 0, 50']) + smuggled,
    'a length with a sign': `${head([json, 'Content-Length: +2'])}{}${smuggled}`,
    'a length in hexadecimal': `${head([json, 'Content-Length: 0x2'])}{}${smuggled}`,
    'a negative length': head([json, 'Content-Length: -1']) + smuggled,
    'a length beyond numbers': head([json, `Content-Length: ${'9'.repeat(30)}`]) + smuggled,
    'an encoding that is not chunked': `${head([json, 'Transfer-Encoding: xchunked'])}0\r\n\r\n${smuggled}`,
    'chunked before another encoding': `${head([json, 'Transfer-Encoding: chunked, identity'])}0\r\n\r\n${smuggled}`,
    'two encodings': `${head([json, 'Transfer-Encoding: chunked', 'Transfer-Encoding: identity'])}0\r\n\r\n${smuggled}`,
    'a space before the colon': `${head([json, 'Transfer-Encoding : chunked'])}0\r\n\r\n${smuggled}`,
    'a header that is folded': `${head([json, 'X: a\r\n Transfer-Encoding: chunked', 'Content-Length: 5'])}0\r\n\r\n${smuggled}`,
    'lines that end in a line feed alone': `POST /api/auth/login HTTP/1.1\nHost: x\nContent-Length: 5\n\n0\r\n\r\n${smuggled}`,
    'a carriage return alone in a header': head(['X: a\rTransfer-Encoding: chunked']) + smuggled,
    'a NUL in a header': head(['X: a\0b']) + smuggled,
    'a chunk size that is no number': `${head([json, 'Transfer-Encoding: chunked'])}zz\r\n\r\n${smuggled}`,
    'a chunk size beyond numbers': `${head([json, 'Transfer-Encoding: chunked'])}${'f'.repeat(20)}\r\n\r\n${smuggled}`,
    'a chunk size with a line feed alone': `${head([json, 'Transfer-Encoding: chunked'])}2\n{}\r\n0\r\n\r\n${smuggled}`,
    'no host': `GET /api/auth/smuggled HTTP/1.1\r\n\r\n${smuggled}`,
    'two hosts': head(['Host: y'], 'GET') + smuggled,
    'another version': `GET /api/auth/me HTTP/9.9\r\nHost: x\r\n\r\n${smuggled}`,
    'a method of its own': head([], 'SMUGGLE') + smuggled,
    'another protocol': 'SSH-2.0-OpenSSH_9.2\r\n\r\n',
    TLS: '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  };
  for (const [name, bytes] of Object.entries(shapes)) {
    it(`is closed after ${name}, and what follows is no request`, async () => {
      const { text, isClosed } = await tell(bytes);
      assert.ok(isClosed);
      assert.deepEqual(statuses(text), [400], text);
      await isServing();
    });
  }

  it('gets 431 for endless headers', async () => {
    const long = await tell(`GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(64 * 1024)}\r\n\r\n`);
    assert.deepEqual(statuses(long.text), [431]);
    const many = Array.from({ length: 5000 }, (_, index) => `X-${index}: y`);
    assert.deepEqual(statuses((await tell(head(many, 'GET', '/healthz'))).text), [431]);
    await isServing();
  });

  it('gets 413 for a large body with or without a length, which is not read completely', async () => {
    const announced = await tell(`${head([json, 'Content-Length: 4000000000'])}{`, /\r\n\r\n\{/);
    assert.deepEqual(statuses(announced.text), [413]);
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    const chunked = await tell(head([json, 'Transfer-Encoding: chunked']) + chunk.repeat(20), /\r\n\r\n\{/);
    assert.deepEqual(statuses(chunked.text), [413]);
    await isServing();
  });

  it('gains nothing with a compressed body, which is not decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000, ' '));
    const bytes = Buffer.concat([
      Buffer.from(head([json, 'Content-Encoding: gzip', `Content-Length: ${bomb.length}`])),
      bomb,
    ]);
    const before = process.memoryUsage().rss;
    const { text } = await tell(bytes, /\r\n\r\n\{/);
    assert.deepEqual(statuses(text), [422]);
    assert.ok(process.memoryUsage().rss - before < 45_000_000);
  });

  it('has a limited time for its headers and its body', async () => {
    const drip = async (first: string, drop: string): Promise<Heard> => {
      const socket = await open();
      let text = '';
      socket.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      socket.write(first);
      const timer = setInterval(() => socket.write(drop), 100);
      try {
        await once(socket, 'close');
      } finally {
        clearInterval(timer);
      }
      return { text, isClosed: true };
    };
    const slow = await Promise.all([
      drip('GET /api/auth/me HTTP/1.1\r\nHost: x\r\n', 'X-a: b\r\n'),
      drip(head([json, 'Content-Length: 60000']), 'x'),
      drip(head([json, 'Transfer-Encoding: chunked']), '1\r\nx\r\n'),
      ...Array.from({ length: 40 }, () => drip('G', '')),
      ...Array.from({ length: 10 }, () => drip('', '')),
    ]);
    for (const { text } of slow) assert.match(text, /^(HTTP\/1\.1 408 |$)/);
    await isServing();
  });

  it('is closed beyond the limit of connections, and existing ones are served', async () => {
    const sockets = await Promise.all(Array.from({ length: 100 }, open));
    await isServing();
    const more = await Promise.all(Array.from({ length: 400 }, open));
    const closed = await Promise.all(
      more.slice(200).map(async (socket) => {
        if (!socket.destroyed) await once(socket.resume(), 'close');
      }),
    );
    assert.equal(closed.length, 200);
    const [first] = sockets;
    assert.ok(first);
    first.write(head([`Authorization: Bearer ${user.token}`], 'GET', '/api/auth/me'));
    const [answer] = (await once(first, 'data')) as [Buffer];
    assert.match(answer.toString(), /^HTTP\/1\.1 200/);
    for (const socket of [...sockets, ...more]) socket.destroy();
    await until(async () => {
      const answered = await server.get('/api/auth/me', user.token).catch(() => undefined);
      return answered?.status === 200;
    }, 'the service to answer again');
  });
});
