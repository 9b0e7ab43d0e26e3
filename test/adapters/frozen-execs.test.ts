import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
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
      timeout: 120_000,
    },
    async (t) => {
      const installation = randomUUID();
      const engine = await openEngine(installation);
      const starting = other ? await openEngine(installation) : engine;
      const ref = await engine.create(smallContainer());
      t.after(() => engine.remove(ref));
      const outcomes: Promise<unknown>[] = [];
      for (let round = 0; round < rounds(40, 200, 8); round += 1) {
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
