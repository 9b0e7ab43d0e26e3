import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { it } from 'node:test';
import Docker from 'dockerode';
import { SshShell } from '../../packages/ssh/ssh-shell.ts';
import { DockerEngine } from '../../src/adapters/docker/docker-engine.ts';
import { smallContainer } from '../engines.ts';
import { engineSkip, testEngine } from '../server.ts';

/** Creates containers whose execs start with the limit of open files that runc can leave them by mistake. */
async function openRaisingEngine(): Promise<DockerEngine> {
  const found = await testEngine();
  if (!('options' in found)) throw new Error(found.reason);
  const docker = new Docker(found.options);
  const create = docker.createContainer.bind(docker);
  docker.createContainer = (async (options: Docker.ContainerCreateOptions) => {
    const Ulimits = options.HostConfig?.Ulimits?.map((limit) => ({ ...limit, Soft: limit.Hard }));
    return await create({ ...options, HostConfig: { ...options.HostConfig, Ulimits } });
  }) as typeof docker.createContainer;
  return new DockerEngine({ docker, installation: `test-${randomUUID()}`, callTimeout: 30_000 });
}

it('a session may open 1,024 files at first, also where the engine starts it with the greater limit', {
  skip: engineSkip,
}, async (t) => {
  const engine = await openRaisingEngine();
  const ref = await engine.create(smallContainer());
  t.after(() => engine.remove(ref));
  await using connection = await new SshShell({ engine }).connect(ref, 'grader');
  const { output } = await connection.runScript('ulimit -Sn; ulimit -Hn', { seconds: 20, outputBytes: 1024 });
  assert.equal(output, '1024\n4096\n');
});
