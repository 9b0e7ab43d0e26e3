import { randomUUID } from 'node:crypto';
import Docker from 'dockerode';
import type { ShellConnection } from '../../packages/ssh/container-shell.ts';
import { SshShell } from '../../packages/ssh/ssh-shell.ts';
import { DockerEngine } from '../../src/adapters/docker/docker-engine.ts';
import { testEngine } from '../server.ts';

/** A connection of the grader to a new container of an image. `cleanup` ends both. */
export async function connectGrader(cleanup: AsyncDisposableStack, image: string): Promise<ShellConnection> {
  const found = await testEngine();
  if (!('options' in found)) throw new Error(found.reason);
  const installation = `test-${randomUUID()}`;
  const engine = cleanup.use(
    new DockerEngine({ docker: new Docker(found.options), installation, callTimeout: 30_000 }),
  );
  const limits = { memoryMb: 256, cpus: 1, processes: 128, diskMb: 64, hasInternet: false };
  const ref = await engine.create({ name: installation, uid: randomUUID(), image, ...limits });
  cleanup.defer(() => engine.remove(ref));
  return cleanup.use(await new SshShell({ engine }).connect(ref, 'grader'));
}
