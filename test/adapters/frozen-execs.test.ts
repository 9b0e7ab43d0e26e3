import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import Docker from 'dockerode';
import { ShellConnectionLostError } from '../../packages/ssh/container-shell.ts';
import { SshShell } from '../../packages/ssh/ssh-shell.ts';
import { DockerEngine } from '../../src/adapters/docker/docker-engine.ts';
import { ContainerNotRunningError } from '../../src/ports/container-engine.ts';
import { smallContainer } from '../engines.ts';
import { itInRounds, rounds } from '../rounds.ts';
import { engineSkip, testEngine } from '../server.ts';

async function openEngine(installation: string): Promise<DockerEngine> {
  const found = await testEngine();
  if (!('options' in found)) throw new Error(found.reason);
  return new DockerEngine({ docker: new Docker(found.options), installation, callTimeout: 60_000 });
}

for (const [starter, other] of [
  ['the process that freezes it', false],
  ['another process', true],
] as const)
  itInRounds(
    `a container is frozen and continues while ${starter} starts a program in it`,
    {
      skip: engineSkip,
      timeout: 600_000,
    },
    async (t) => {
      const installation = randomUUID();
      const engine = await openEngine(installation);
      const starting = other ? await openEngine(installation) : engine;
      const ref = await engine.create(smallContainer());
      t.after(() => engine.remove(ref));
      const outcomes: Promise<unknown>[] = [];
      for (let round = 0; round < rounds(16, 200, 4); round += 1) {
        const outcome = new SshShell({ engine: starting })
          .connect(ref, 'grader')
          .then((connection) => connection[Symbol.asyncDispose]())
          .catch((error: unknown) => error);
        // The start of a program takes about 100 ms: each round freezes it at another moment.
        await delay((round % 8) * 15);
        if (other) await starting.settle([ref]);
        await engine.freeze(ref);
        assert.equal((await engine.inspect(ref))?.isFrozen, true);
        await engine.start(ref);
        outcomes.push(outcome);
      }
      // Each began before a freeze or after it, or the engine refused it because the container was frozen.
      for (const failure of await Promise.all(outcomes)) {
        const isRefused = failure instanceof ContainerNotRunningError || failure instanceof ShellConnectionLostError;
        assert.ok(failure === undefined || isRefused, String(failure));
      }
    },
  );

/** The engine behind a proxy that answers as runc does where processes keep appearing, so often. */
async function reluctantEngine(refusals: number): Promise<{ proxy: Server; port: number }> {
  const found = await testEngine();
  if (!('options' in found)) throw new Error(found.reason);
  const { socketPath, host, port } = found.options;
  const where = socketPath === undefined ? { host: String(host), port: Number(port) } : { socketPath };
  let left = refusals;
  const proxy = createServer((incoming, answer) => {
    if (incoming.url?.endsWith('/pause') && left-- > 0) {
      incoming.resume();
      const message = 'Cannot pause container: OCI runtime pause failed: unable to freeze: unknown';
      return void answer.writeHead(500, { 'content-type': 'application/json' }).end(JSON.stringify({ message }));
    }
    const { method, url, headers } = incoming;
    const onward = request({ ...where, method, path: url, headers }, (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(answer);
    });
    onward.on('error', () => answer.destroy());
    incoming.pipe(onward);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return { proxy, port: (proxy.address() as AddressInfo).port };
}

it('freezes a container again where its runtime gave up, and reports one that cannot be frozen', {
  skip: engineSkip,
}, async (t) => {
  const engine = await openEngine(randomUUID());
  const ref = await engine.create(smallContainer());
  t.after(() => engine.remove(ref));
  for (const [refusals, isFrozen] of [
    [4, true],
    [5, false],
  ] as const) {
    const { proxy, port } = await reluctantEngine(refusals);
    t.after(() => proxy.close());
    const docker = new Docker({ host: '127.0.0.1', port });
    const reluctant = new DockerEngine({ docker, installation: randomUUID(), callTimeout: 60_000 });
    if (isFrozen) await reluctant.freeze(ref);
    else await assert.rejects(reluctant.freeze(ref), /unable to freeze|engine/i);
    assert.equal((await engine.inspect(ref))?.isFrozen, isFrozen);
    await engine.start(ref);
  }
});
