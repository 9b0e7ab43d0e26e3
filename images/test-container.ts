import { randomBytes } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import Docker from 'dockerode';

const hostname = 'image-test';
export const docker = new Docker();

/** Why tests of containers cannot run here, or false. */
export const noEngine: string | false = await docker.ping().then(
  () => false,
  (error: Error) => `no container engine answers: ${error.message}`,
);

export type Result = { code: number; stdout: string; stderr: string };

export type TestContainer = AsyncDisposable & {
  id: string;
  container: Docker.Container;
  /** Runs an sh command line, as root by default. */
  run: (command: string, user?: string) => Promise<Result>;
  /** Returns the output of a command that must succeed. */
  output: (command: string, user?: string) => Promise<string>;
};

/** Starts a container with the platform's limits and the settings of the image's labels. */
export async function startContainer(image: string, binds: readonly string[] = []): Promise<TestContainer> {
  const { Labels: labels } = (await docker.getImage(`${image}:latest`).inspect()).Config;
  const capabilities = (labels['platform.capabilities'] ?? '').split(',').filter((name) => name !== '');
  const container = await docker.createContainer({
    Image: `${image}:latest`,
    name: `image-test-${randomBytes(6).toString('hex')}`,
    Hostname: hostname,
    HostConfig: {
      Init: true,
      NetworkMode: 'none',
      // Same as in the service: the machine's own name resolves without a network.
      ExtraHosts: [`${hostname}:127.0.1.1`],
      CapDrop: ['ALL'],
      CapAdd: capabilities,
      SecurityOpt: labels['platform.privileges'] === 'none' ? ['no-new-privileges'] : [],
      Memory: 512 * 1024 ** 2,
      PidsLimit: 256,
      Binds: [...binds],
    },
  });
  const remove = async () => {
    await container.remove({ force: true, v: true });
  };
  try {
    await container.start();
  } catch (error) {
    await remove();
    throw error;
  }
  const run = (command: string, user = 'root') => execute(container, command, user);
  const output = async (command: string, user?: string) => {
    const { code, stdout, stderr } = await run(command, user);
    if (code !== 0) throw new Error(`${command}: exit code ${code}\n${stdout}${stderr}`);
    return stdout;
  };
  return { id: container.id, container, run, output, [Symbol.asyncDispose]: remove };
}

async function execute(container: Docker.Container, command: string, user: string): Promise<Result> {
  const exec = await container.exec({
    Cmd: ['/bin/sh', '-c', command],
    User: user,
    AttachStdout: true,
    AttachStderr: true,
  });
  const stream = await exec.start({});
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  docker.modem.demuxStream(stream, stdout, stderr);
  stream.on('close', () => {
    stdout.end();
    stderr.end();
  });
  const [out, err] = await Promise.all([text(stdout), text(stderr)]);
  return { code: (await exec.inspect()).ExitCode ?? -1, stdout: out, stderr: err };
}

/** A volume filled from the grader's image, created as by the platform. */
export async function graderVolume(): Promise<AsyncDisposable & { name: string }> {
  const name = `image-test-${randomBytes(6).toString('hex')}`;
  const remove = async () => {
    await docker.getVolume(name).remove({ force: true });
  };
  await docker.createVolume({ Name: name });
  try {
    const binds = [`${name}:/.grader`];
    const container = await docker.createContainer({
      Image: 'platform-grader:latest',
      name,
      HostConfig: { Binds: binds, NetworkMode: 'none' },
    });
    // Docker fills the volume when the container is created, Podman when it starts
    await container.start();
    await container.wait();
    await container.remove();
  } catch (error) {
    await remove();
    throw error;
  }
  return { name, [Symbol.asyncDispose]: remove };
}

/** Polls until the result is true. @throws Error after 30 seconds */
export async function until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 30_000;
  while (!(await isTrue())) {
    if (performance.now() > deadline) throw new Error(`not within 30 s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
