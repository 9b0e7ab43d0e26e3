import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { it } from 'node:test';
import { TestServer } from '../../../test/server.ts';
import { until } from '../../../test/until.ts';

// Long: most of it is a client that announces bodies and sends none.
it('limits the bodies of each client and of all, and releases them with their requests', async () => {
  await using server = await TestServer.start(
    { maxBodyBytes: 1_048_576, maxAvatarBytes: 1_048_576, maxBodiesPerClientMb: 1, maxBodiesMb: 2 },
    { engine: { reason: 'this test has none' } },
  );
  const [one, other] = [await server.user(), await server.user()];
  const sockets: Socket[] = [];
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => sockets.forEach((socket) => void socket.destroy()));
  /** Announces a body and sends none of it. @returns a function that reports whether it was refused */
  const announce = async (header: string, token?: string): Promise<() => boolean> => {
    const socket = connect({ port: Number(new URL(server.url).port), host: '127.0.0.1' });
    sockets.push(socket);
    await once(socket, 'connect');
    let isAnswered = false;
    socket.on('error', () => {}).on('data', () => (isAnswered = true));
    const request = token === undefined ? 'POST /api/auth/login' : 'PUT /api/profile/me';
    const authorization = token === undefined ? '' : `Authorization: Bearer ${token}\r\n`;
    socket.write(
      `${request} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${authorization}${header}\r\n\r\n`,
    );
    return () => isAnswered;
  };
  /** Announces bodies until the capacity is used. A concurrent probe may have occupied it. */
  const fill = async (isFull: () => Promise<boolean>, ...announcement: Parameters<typeof announce>) => {
    // A route takes at least 64 KiB.
    const announced: (() => boolean)[] = [];
    for (let count = 0; count < 16; count += 1) announced.push(await announce(...announcement));
    await until(async () => {
      for (const [index, isRefused] of announced.entries())
        if (isRefused()) announced[index] = await announce(...announcement);
      return await isFull();
    }, 'the room to be taken');
  };
  const logIn = async () => await server.post('/api/auth/login', undefined, {});
  const save = async (token: string, bio = 'b') =>
    await server.request('PUT', '/api/profile/me', { token, json: { bio } });

  await fill(async () => (await logIn()).status === 429, 'Transfer-Encoding: chunked');
  const refused = await logIn();
  assert.deepEqual([refused.body.detail, refused.headers.get('retry-after')], ['Too many large requests at once', '1']);
  assert.equal((await save(one.token)).status, 200, 'a user has a share of their own');

  await fill(async () => (await save(other.token)).status === 503, 'Content-Length: 65536', one.token);
  assert.equal((await save(other.token)).headers.get('retry-after'), '1');
  assert.equal((await server.get('/api/auth/me', other.token)).status, 200, 'what has no body needs no room');

  for (const socket of sockets) socket.destroy();
  await until(async () => (await logIn()).status === 422, 'the room to be free again');
  for (let count = 0; count < 5; count += 1)
    assert.equal((await save(other.token, 'b'.repeat(60_000))).status, 422, 'one after the other, all have room');
});
