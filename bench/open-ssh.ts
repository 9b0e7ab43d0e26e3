import { execFile } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type Docker from 'dockerode';
import type { DockerOptions } from 'dockerode';
import { containerOptions } from '../src/adapters/docker/container-options.ts';
import { ensureGraderVolume } from '../src/adapters/docker/grader-volume.ts';

const run = promisify(execFile);

export type OpenSshServer = AsyncDisposable & {
  /** A configuration for `ssh -F`, whose host `container` is the grader's account of a running container. */
  config: string;
  containerId: string;
};

/** A container like those of the platform, for OpenSSH's own client: the same server, on the same kind of stream of the engine. */
export async function openSshServer(
  docker: Docker,
  options: DockerOptions,
  image: string,
  folder: string,
): Promise<OpenSshServer> {
  const graderVolume = await ensureGraderVolume(docker);
  const internet = { network: 'none', dns: [] };
  const place = { installation: 'bench', graderVolume, internet, canLimitDisk: false };
  const { Config } = await docker.getImage(image).inspect();
  const command = [Config.Entrypoint, Config.Cmd].flatMap((part) => part ?? []);
  const spec = {
    name: `bench-${crypto.randomUUID()}`,
    uid: crypto.randomUUID(),
    image,
    memoryMb: 512,
    cpus: 1,
    processes: 256,
    diskMb: 2048,
    hasInternet: false,
  };
  const container = await docker.createContainer(
    containerOptions(spec, { labels: Config.Labels ?? {}, command, folder: Config.WorkingDir || '/' }, place),
  );
  await container.start();
  const [clientKey, hostKey] = [join(folder, 'client'), join(folder, 'host')];
  for (const key of [clientKey, hostKey]) await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
  const proxySource = fileURLToPath(new URL('./open-ssh-proxy.ts', import.meta.url));
  await chmod(clientKey, 0o600);
  const config = join(folder, 'config');
  const proxy = [
    process.execPath,
    proxySource,
    options.socketPath ?? '',
    container.id,
    hostKey,
    `${clientKey}.pub`,
  ].join(' ');
  const common = `  ProxyCommand ${proxy}
  IdentityFile ${clientKey}
  IdentitiesOnly yes
  StrictHostKeyChecking no
  UserKnownHostsFile /dev/null
  LogLevel ERROR
  HostName container
`;
  await writeFile(
    config,
    `Host container\n  User grader\n  ControlPath ${join(folder, 'control')}\n  ControlMaster auto\n${common}
Host student\n  User student\n${common}`,
  );
  return {
    config,
    containerId: container.id,
    [Symbol.asyncDispose]: async () => void (await container.remove({ force: true, v: true })),
  };
}
