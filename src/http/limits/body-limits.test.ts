import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { Type } from 'typebox';
import { TestServer } from '../../../test/server.ts';
import { type SmallServer, smallServer } from '../../../test/small-server.ts';
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

const Body = Type.Object({ name: Type.String() });
const server = (): Promise<SmallServer> =>
  smallServer(async (app) => {
    app.post('/texts', { config: { access: 'user' }, schema: { body: Body } }, () => 'ok');
  });
/** The most expensive text to read: half a million escapes. */
const large = JSON.stringify({ name: '"'.repeat(450_000) });
const small = JSON.stringify({ name: 'x' });

describe('large bodies', () => {
  const sender = ({ app }: SmallServer) => {
    const ended: string[] = [];
    const send = async (who: string, payload: string, role = 'student') => {
      const headers = { authorization: `Bearer ${role}`, 'content-type': 'application/json' };
      const { statusCode } = await app.inject({ method: 'POST', url: '/texts', payload, headers });
      ended.push(who);
      return statusCode;
    };
    return { ended, send };
  };

  it('are read one after another, and small ones in between', async () => {
    await using service = await server();
    const { ended, send } = sender(service);
    const bodies = [1, 2, 3, 4].map((number) => send(`large ${number}`, large));
    const statuses = await Promise.all([...bodies, send('small', small)]);
    assert.deepEqual(statuses, [200, 200, 200, 200, 200]);
    const place = ended.indexOf('small');
    assert.ok(place < 2, ended.join(', '));
    ended.splice(place, 1);
    assert.deepEqual(ended, ['large 1', 'large 2', 'large 3', 'large 4']);
  });

  it('give turns to clients, not to requests', async () => {
    await using service = await server();
    const { ended, send } = sender(service);
    const bodies = [1, 2, 3, 4].map((number) => send(`student ${number}`, large));
    await Promise.all([...bodies, send('instructor', large, 'instructor')]);
    assert.ok(ended.indexOf('instructor') <= 2, ended.join(', '));
  });

  it('are refused as forms: the login, which takes one, is short', async () => {
    await using service = await server();
    const headers = { authorization: 'Bearer student', 'content-type': 'application/x-www-form-urlencoded' };
    const send = async (payload: string) =>
      (await service.app.inject({ method: 'POST', url: '/texts', payload, headers })).statusCode;
    assert.equal(await send(`name=${'%22'.repeat(300_000)}`), 413);
    assert.equal(await send(`name=${'%22'.repeat(1000)}`), 200);
  });

  it('are refused like small ones', async () => {
    await using service = await server();
    const { send } = sender(service);
    assert.equal(await send('', `{"name":"${'x'.repeat(100_000)}`), 422);
    assert.equal(await send('', `[${'0,'.repeat(100_000)}0]`), 422);
    assert.equal(await send('', `{"name":${'9'.repeat(100_000)}}`), 422);
    assert.equal(await send('', `{"__proto__":{},"name":"${'x'.repeat(100_000)}"}`), 422);
  });
});
