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
  /** The engine in the format of `DOCKER_HOST`. */
  address: string;
};

export type EngineSearch = {
  /** `DOCKER_HOST`: if set, only this engine is tried. */
  dockerHost?: string | undefined;
  /** `DOCKER_CERT_PATH`: the folder of ca.pem, cert.pem and key.pem, for an engine over TLS. */
  certPath?: string | undefined;
  /** `XDG_RUNTIME_DIR`: where the sockets of engines without root are. */
  runtimeDir?: string | undefined;
  /** Milliseconds for one candidate to answer. */
  patience?: number | undefined;
  /** Paths of system-wide sockets; tests use others. */
  systemSockets?: readonly string[] | undefined;
};

const defaultSockets = ['/var/run/docker.sock', '/run/podman/podman.sock'];
/** The oldest supported version of the engine's API: Docker 20.10, Podman 4. */
const oldestApi = [1, 41] as const;

/** Tries the usual addresses in order and returns the first engine that answers. Changes nothing. */
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
      reason: `${name} ${Version} is too old: version 20.10 of Docker Engine or 4 of Podman is required`,
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

/** Empty if there is no engine at the address. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return '';
  if (code === 'ECONNREFUSED') return 'nothing listens there';
  if (code === 'EACCES')
    return 'this user has no access to it; add the user to the group `docker` (usermod -aG docker USER, then log in again)';
  if (code === 'ECONNRESET' || /timeout/i.test(error.message)) return 'it does not answer';
  return error.message;
}
