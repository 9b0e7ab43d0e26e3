import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { type SmallServer, smallServer } from '../../../test/small-server.ts';
import { until } from '../../../test/until.ts';
import { customerNetworkOf, networkOf } from './connections-per-address.ts';

const max = 20;
const routes = async (app: SmallServer['app']) => {
  app.get('/', { config: { access: 'public' } }, async () => 'here');
};

/** A service that allows 100 connections, and sockets from several addresses of this machine. */
async function serving(env: Record<string, string> = {}) {
  const stack = new AsyncDisposableStack();
  const { app } = stack.use(await smallServer(routes, { maxConnections: 100, maxConnectionsPerAddress: max, ...env }));
  await app.listen({ host: '0.0.0.0', port: 0 });
  const { port } = app.server.address() as { port: number };
  const sockets: Socket[] = [];
  stack.defer(() => {
    for (const socket of sockets) socket.destroy();
  });
  const open = async (localAddress: string): Promise<Socket> => {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    socket.on('error', () => {});
    sockets.push(socket);
    await once(socket, 'connect');
    return socket;
  };
  /** Whether a socket is served: it gets an answer, or is closed. */
  const isServed = async (socket: Socket): Promise<boolean> => {
    if (socket.destroyed) return false;
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    return await new Promise((resolve) => {
      socket.once('data', () => resolve(true));
      socket.once('close', () => resolve(false));
    });
  };
  return { open, isServed, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

describe('connections of one address', () => {
  it('are limited: one more is closed unread, and other addresses are served', async () => {
    await using server = await serving();
    const idle = await Promise.all(Array.from({ length: max }, () => server.open('127.0.0.2')));
    const more = await Promise.all(Array.from({ length: 30 }, () => server.open('127.0.0.2')));
    assert.deepEqual(new Set(await Promise.all(more.map(server.isServed))), new Set([false]));
    assert.equal(await server.isServed(await server.open('127.0.0.3')), true);
    assert.deepEqual(new Set(await Promise.all(idle.map(server.isServed))), new Set([true]));
  });

  it('are counted until they end', async () => {
    await using server = await serving();
    const idle = await Promise.all(Array.from({ length: max }, () => server.open('127.0.0.2')));
    assert.equal(await server.isServed(await server.open('127.0.0.2')), false);
    idle[0]?.destroy();
    await until(async () => await server.isServed(await server.open('127.0.0.2')), 'room for one more');
  });

  it('have the limit of all addresses behind a proxy, which has one address for all', async () => {
    await using server = await serving({ TRUST_PROXY: 'true' });
    const sockets = await Promise.all(Array.from({ length: max + 30 }, () => server.open('127.0.0.2')));
    assert.deepEqual(new Set(await Promise.all(sockets.map(server.isServed))), new Set([true]));
  });

  it('belong to one network with IPv6, because a client has a whole network', () => {
    for (const [address, network] of [
      ['192.0.2.1', '192.0.2.1'],
      ['::ffff:192.0.2.1', '192.0.2.1'],
      ['::1', '0:0:0:0::/64'],
      ['2001:db8::1', '2001:db8:0:0::/64'],
      ['2001:db8::ffff:1', '2001:db8:0:0::/64'],
      ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
      ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ] as const) {
      assert.equal(networkOf(address), network);
    }
  });

  it('count for queues by the network that a customer can have', () => {
    for (const [address, network] of [
      ['192.0.2.1', '192.0.2.0/24'],
      ['::ffff:192.0.2.255', '192.0.2.0/24'],
      ['2001:db8:1:2:3:4:5:6', '2001:db8:1:0::/56'],
      ['2001:db8:1:12ff::1', '2001:db8:1:1200::/56'],
      ['2001:db8:1:1300::1', '2001:db8:1:1300::/56'],
      ['::1', '0:0:0:0::/56'],
    ] as const) {
      assert.equal(customerNetworkOf(address), network);
    }
  });
});
