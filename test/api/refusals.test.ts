import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { TestServer, told } from '../server.ts';
import { until } from '../until.ts';

describe('a service that cannot serve now', () => {
  it('is reported as overloaded to a load balancer', async () => {
    await using server = await TestServer.start({ maxEventLoopDelayMs: 5 });
    const ready = () => server.get('/readyz');
    // The server runs in this process: its event loop is delayed with that of the test.
    const delayTheLoop = (): void => {
      const begin = performance.now();
      while (performance.now() - begin < 40);
    };
    let refused = await ready();
    // The next answer may be that of an event loop that is well again.
    await until(async () => {
      delayTheLoop();
      refused = await ready();
      return refused.status === 503;
    }, 'the event loop to be found overloaded');
    assert.deepEqual(told(refused), { detail: 'The service is overloaded', code: 'overloaded' });
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
  });

  it('refuses a request while it stops, with a time to retry', async () => {
    const server = await TestServer.start();
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    const answer = text(socket);
    await once(socket, 'connect');
    socket.write('GET /healthz HTTP/1.1\r\n');
    // The partial request keeps the connection open. The rest is sent after the service stopped listening.
    const { server: listener } = server.application.app;
    await until(async () => (await promisify(listener.getConnections.bind(listener))()) > 0, 'the connection');
    const stopped = server[Symbol.asyncDispose]();
    await until(
      async () =>
        await fetch(server.url).then(
          () => false,
          () => true,
        ),
      'the listener to be closed',
    );
    socket.write('Host: localhost\r\n\r\n');
    assert.match(
      await answer,
      /^HTTP\/1\.1 503 [\s\S]*retry-after: 5\r\nerror-code: stopping\r\n[\s\S]*\{"detail":"The service is stopping"\}$/i,
    );
    await stopped;
  });
});
