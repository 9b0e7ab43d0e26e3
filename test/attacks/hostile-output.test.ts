import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { describeLong } from '../rounds.ts';
import { engineSkip } from '../server.ts';
import { TerminalClient } from '../terminal-client.ts';
import { until } from '../until.ts';
import { hostileOutput, hugeCounts } from './hostile-output.ts';
import type { HostedTerminals } from './hostile-output-service.ts';

const quantile = (values: readonly number[], q: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(q * values.length)] ?? Number.NaN;

/** Generous, for a busy machine: without protection an attack takes seconds to minutes. */
const floor = { request: 500, echo: 1500 };

describeLong('programs that write hostile output', { skip: engineSkip }, () => {
  let service: ChildProcess;
  let hosted: HostedTerminals;
  let neighbour: TerminalClient;
  const clients: TerminalClient[] = [];

  before(async () => {
    service = fork(join(import.meta.dirname, 'hostile-output-service.ts'), { execArgv: [] });
    const ended = once(service, 'exit').then(([code]) => assert.fail(`the service ended with ${code}`));
    [hosted] = (await Promise.race([once(service, 'message'), ended])) as [HostedTerminals];
    ended.catch(() => undefined);
    neighbour = await open(hosted.quiet).ready();
  });
  after(async () => {
    for (const { socket } of clients) socket.terminate();
    if (!service.connected) return;
    const ended = once(service, 'exit');
    service.disconnect();
    // It can be the one that hangs.
    const timer = setTimeout(() => service.kill('SIGKILL'), 20_000);
    await ended;
    clearTimeout(timer);
  });

  function open(container: number, query = ''): TerminalClient {
    const address = `${hosted.url}/ws/terminal/${container}?token=${hosted.token}${query}`;
    const client = new TerminalClient(address, { protocol: 'terminal.v1' });
    clients.push(client);
    return client;
  }

  async function request(): Promise<number> {
    const begin = performance.now();
    const response = await fetch(`${hosted.url}/api/auth/me`, {
      headers: { authorization: `Bearer ${hosted.token}` },
      signal: AbortSignal.timeout(90_000),
    });
    assert.equal(response.status, 200, await response.text());
    return performance.now() - begin;
  }

  async function echo(): Promise<number> {
    const before = neighbour.bytes;
    const begin = performance.now();
    neighbour.type('x');
    while (neighbour.bytes === before) {
      assert.ok(performance.now() - begin < 90_000, 'an echo');
      await delay(1);
    }
    return performance.now() - begin;
  }

  async function measure(seconds: number): Promise<{ request: number; echo: number }> {
    const [requests, echoes]: [number[], number[]] = [[], []];
    const end = performance.now() + seconds * 1000;
    while (performance.now() < end) {
      requests.push(await request());
      if (requests.length % 10 === 0) echoes.push(await echo());
    }
    return { request: quantile(requests, 0.99), echo: quantile(echoes, 0.95) };
  }

  it('cannot block others with large counts in control sequences', async () => {
    for (const sequences of hugeCounts) {
      const client = await open(hosted.hostile).ready();
      client.type(`clear; seq 100; printf '${sequences}'; echo en""d\n`);
      await client.shows(/end\r\n/);
      const id = String((await client.message('ready'))['session_id']);
      client.socket.close();
      await client.closed;
      // Requests the picture immediately.
      const again = open(hosted.hostile, `&session=${id}`);
      await again.shows('\x1bc');
      assert.ok((await request()) < 5000, sequences);
      again.type('exit\n');
      await again.closed;
    }
  });

  it('do not slow down others, ten at once', async (context) => {
    const before = await measure(3);
    const hostile = await Promise.all(
      Object.entries(hostileOutput).map(async ([name, command]) => {
        const client = await open(hosted.hostile, '&cols=500&rows=300').ready();
        const id = String((await client.message('ready'))['session_id']);
        client.type(`${command}\n`);
        return { name, client, id };
      }),
    );
    await delay(500);
    // Their output is no longer held back.
    for (const { client } of hostile) client.socket.terminate();
    const loud = await measure(8);
    // Each of them still works.
    for (const { name, id } of hostile) {
      const again = open(hosted.hostile, `&session=${id}`);
      await again.message('ready');
      // A program that ends also discards pending input, so it is typed again. On a busy machine the end of ten floods takes a while.
      const stop = setInterval(() => again.type(Math.random() < 0.5 ? '\x03' : 'exit\n'), 200);
      const isClosed = () => again.socket.readyState === again.socket.CLOSED;
      await until(isClosed, `the end of the shell of ${name}`, 120_000).finally(() => clearInterval(stop));
    }
    const after = await measure(3);
    // Other work on the machine varies.
    const quiet = { request: Math.max(before.request, after.request), echo: Math.max(before.echo, after.echo) };
    context.diagnostic(JSON.stringify({ quiet, loud }));
    assert.ok(
      loud.request <= Math.max(5 * quiet.request, floor.request),
      `${loud.request} ms, else ${quiet.request} ms`,
    );
    assert.ok(loud.echo <= Math.max(5 * quiet.echo, floor.echo), `${loud.echo} ms, else ${quiet.echo} ms`);
  });
});
