import assert from 'node:assert/strict';
import { it } from 'node:test';
import Docker from 'dockerode';
import { portError } from '../../src/adapters/docker/failures.ts';
import { ContainerNotRunningError, NoSuchContainerError } from '../../src/ports/container-engine.ts';
import { engineSkip, testEngine } from '../server.ts';

it('an exec that a stop has ended means a stopped container, and one that is removed is missing', {
  skip: engineSkip,
}, async (t) => {
  const engine = await testEngine();
  const docker = new Docker('options' in engine ? engine.options : {});
  const name = `stopped-exec-${process.pid}-${Date.now()}`;
  const container = await docker.createContainer({ name, Image: 'platform-sandbox', NetworkDisabled: true });
  t.after(() => container.remove({ force: true, v: true }).catch(() => undefined));
  const failureOf = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error: unknown) => portError(error, name),
    );
  const options = { Cmd: ['cat'], AttachStdin: true, AttachStdout: true };
  await container.start();
  const exec = await container.exec(options);
  await container.kill();
  await container.wait();
  assert.ok((await failureOf(exec.start({ Detach: true }))) instanceof ContainerNotRunningError);
  assert.ok((await failureOf(exec.inspect())) instanceof ContainerNotRunningError);
  assert.ok((await failureOf(container.exec(options))) instanceof ContainerNotRunningError);
  await container.remove({ v: true });
  assert.ok((await failureOf(container.exec(options))) instanceof NoSuchContainerError);
});
