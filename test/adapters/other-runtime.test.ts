import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, it, type TestContext } from 'node:test';
import Docker from 'dockerode';
import { SshShell } from '../../packages/ssh/ssh-shell.ts';
import { DockerEngine } from '../../src/adapters/docker/docker-engine.ts';
import { UnavailableError } from '../../src/errors.ts';
import { smallContainer } from '../engines.ts';
import { Launched } from '../launched.ts';
import { engineSkip, testEngine } from '../server.ts';

describe('containers on another runtime than the default of the engine', { skip: engineSkip }, () => {
  let docker: Docker;
  before(async () => {
    const found = await testEngine();
    docker = new Docker('options' in found ? found.options : {});
  });
  const engineWith = (runtime: string) =>
    new DockerEngine({ docker, installation: `test-${randomUUID()}`, callTimeout: 30_000, runtime });

  it('run on it', async (t: TestContext) => {
    const { Runtimes, DefaultRuntime } = await docker.info();
    // Docker 20.10 forgets its second name for runc when it reads its configuration again.
    const isKnownToRun = (name: string) => /^(io\.containerd\.runc\.v2|runc|crun)$/.test(name);
    const other = Object.keys(Runtimes).find((name) => name !== DefaultRuntime && isKnownToRun(name)) ?? DefaultRuntime;
    const engine = engineWith(other);
    const ref = await engine.create(smallContainer());
    t.after(() => engine.remove(ref));
    assert.equal((await docker.getContainer(ref).inspect()).HostConfig.Runtime, other);
    await using connection = await new SshShell({ engine }).connect(ref, 'grader');
    const { output } = await connection.runScript('id -un', { seconds: 20, outputBytes: 1024 });
    assert.equal(output, 'root\n');
  });

  it('are refused with a name that the engine does not know', async () => {
    await assert.rejects(engineWith('no-such-runtime').create(smallContainer()), (error: UnavailableError) => {
      assert.ok(error instanceof UnavailableError);
      assert.equal(error.message, 'The container engine does not have the configured runtime');
      return true;
    });
  });

  it('are reported by the doctor', async () => {
    await using commands = await Launched.prepare();
    const { output } = await commands.launch(['doctor'], { CONTAINER_RUNTIME: 'no-such-runtime' }).end();
    assert.match(output, /^missing +engine +the engine has no runtime no-such-runtime\n +configure it .*\brunc\b/m);
  });
});
