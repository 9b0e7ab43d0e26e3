import type Docker from 'dockerode';
import { SshShell } from '../packages/ssh/ssh-shell.ts';
import { DockerEngine } from '../src/adapters/docker/docker-engine.ts';
import { timed } from './environment.ts';

const limits = { memoryMb: 512, cpus: 1, processes: 256, diskMb: 2048, hasInternet: false };

/**
 * Create, start and first command through the engine's API, with the least work possible over SSH.
 * @returns milliseconds
 */
export async function plainStart(docker: Docker, image: string): Promise<number> {
  const engine = new DockerEngine({ docker: plain(docker), installation: 'bench', callTimeout: 30_000 });
  const shell = new SshShell({ engine });
  await warmUpFacts(engine, image);
  let ref = '';
  const time = await timed(async () => {
    ref = await engine.create({ ...limits, name: `bench-${crypto.randomUUID()}`, uid: crypto.randomUUID(), image });
    const connection = await shell.connect(ref, 'grader');
    await connection.runScript('true', { seconds: 10, outputBytes: 1024 });
    void connection[Symbol.asyncDispose]();
  });
  await engine.remove(ref);
  return time;
}

/** With the network `none` as the engine creates it, whatever the service does for its own containers. */
function plain(docker: Docker): Docker {
  const createContainer = (options: Docker.ContainerCreateOptions) =>
    docker.createContainer({ ...options, NetworkDisabled: false });
  return Object.assign(Object.create(docker) as Docker, { createContainer });
}

/** Facts that a process caches, such as the grader's volume, are not part of a start. */
async function warmUpFacts(engine: DockerEngine, image: string): Promise<void> {
  const ref = await engine.create({ ...limits, name: `bench-${crypto.randomUUID()}`, uid: crypto.randomUUID(), image });
  await engine.remove(ref);
}
