import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import Docker, { type DockerOptions } from 'dockerode';

/** A container engine that answers. */
export type FoundEngine = {
  /** For `new Docker(options)`. */
  options: DockerOptions;
  /** Such as `Docker Engine 20.10.24 at unix:///var/run/docker.sock`. */
  description: string;
  version: string;
  /** `DOCKER_HOST` as other programs take it. */
  address: string;
};

export type EngineSearch = {
  /** `DOCKER_HOST`: where it is set, only that engine will do. */
  dockerHost?: string | undefined;
  /** `DOCKER_CERT_PATH`: the folder of ca.pem, cert.pem and key.pem, for an engine over TLS. */
  certPath?: string | undefined;
  /** `XDG_RUNTIME_DIR`: where the sockets of engines without root are. */
  runtimeDir?: string | undefined;
  /** Milliseconds that one candidate has to answer. */
  patience?: number | undefined;
  /** Where system-wide sockets are looked for; tests have others. */
  systemSockets?: readonly string[] | undefined;
};

const defaultSockets = ['/var/run/docker.sock', '/run/podman/podman.sock'];
/** The oldest version of the engine's API that we speak: Docker 20.10, Podman 4. */
const oldestApi = [1, 41] as const;

/** Looks for an engine at the usual places, one after the other, and takes the first that answers. Changes nothing. */
export async function findEngine(search: EngineSearch): Promise<FoundEngine | { reason: string }> {
  const reasons: string[] = [];
  for (const address of addressesOf(search)) {
    const answer = await ask(address, search).catch((error: unknown) => ({ reason: explain(error) }));
    if ('options' in answer) return answer;
    if (answer.reason) reasons.push(`${address}: ${answer.reason}`);
  }
  return { reason: reasons.join('; ') || 'no container engine was found' };
}

function addressesOf({ dockerHost, runtimeDir, systemSockets = defaultSockets }: EngineSearch): string[] {
  if (dockerHost !== undefined) return [dockerHost];
  const [first, ...others] = systemSockets;
  const own = runtimeDir === undefined ? [] : [join(runtimeDir, 'podman/podman.sock'), join(runtimeDir, 'docker.sock')];
  return [...(first === undefined ? [] : [first]), ...own, ...others].map((path) => `unix://${path}`);
}

async function ask(
  address: string,
  { certPath, patience = 2000 }: EngineSearch,
): Promise<FoundEngine | { reason: string }> {
  const options = await optionsOf(address, certPath);
  const { Version, ApiVersion, ...rest } = await new Docker({ ...options, timeout: patience }).version();
  const components = 'Components' in rest ? (rest.Components as { Name: string }[] | null) : null;
  const isPodman = components?.some(({ Name }) => Name.startsWith('Podman')) ?? false;
  const name = isPodman ? 'Podman' : 'Docker Engine';
  const [major = 0, minor = 0] = ApiVersion.split('.').map(Number);
  if (major < oldestApi[0] || (major === oldestApi[0] && minor < oldestApi[1])) {
    return {
      reason: `${name} ${Version} is too old: version 20.10 of Docker Engine or 4 of Podman is the oldest that will do`,
    };
  }
  return { options, description: `${name} ${Version} at ${address}`, version: Version, address };
}

async function optionsOf(address: string, certPath: string | undefined): Promise<DockerOptions> {
  if (address.startsWith('unix://')) return { socketPath: address.slice('unix://'.length) };
  if (!URL.canParse(address) || !/^(tcp|https?):$/.test(new URL(address).protocol)) {
    throw new Error('DOCKER_HOST takes unix:///path or tcp://host:port');
  }
  const { hostname, port, protocol } = new URL(address);
  const isSecure = protocol === 'https:' || port === '2376' || certPath !== undefined;
  const options = {
    host: hostname,
    port: port || (isSecure ? 2376 : 2375),
    protocol: isSecure ? 'https' : 'http',
  } as const;
  if (!isSecure || certPath === undefined) return options;
  const read = (name: string) => readFile(join(certPath, name), 'utf8');
  return { ...options, ca: await read('ca.pem'), cert: await read('cert.pem'), key: await read('key.pem') };
}

/** Empty where there is simply nothing. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return '';
  if (code === 'ECONNREFUSED') return 'nothing listens there (any more)';
  if (code === 'EACCES')
    return 'this user may not use it; the group `docker` may (usermod -aG docker USER, then log in again)';
  if (code === 'ECONNRESET' || /timeout/i.test(error.message)) return 'it does not answer';
  return error.message;
}
