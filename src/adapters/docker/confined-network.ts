import type Docker from 'dockerode';
import { UnavailableError } from '../../errors.ts';
import { confinedSign } from '../engine/gate.ts';
import { confine, type Internet, privateNetworks } from '../engine/internet.ts';
import { runHelper } from './helper.ts';

export const internetNetwork = 'platform-internet';

/** The network for containers with internet: containers on it reach the outside and not each other. */
export async function ensureInternetNetwork(docker: Docker): Promise<string> {
  const networks = await docker.listNetworks({ filters: { name: [internetNetwork] } });
  if (!networks.some((network) => network.Name === internetNetwork)) {
    await docker.createNetwork({
      Name: internetNetwork,
      CheckDuplicate: true,
      Driver: 'bridge',
      EnableIPv6: false,
      Options: { 'com.docker.network.bridge.enable_icc': 'false' },
    });
  }
  return internetNetwork;
}

/**
 * Restricts a container to the public internet. Blocked are private networks, addresses of the link (the host and other
 * containers), all other addresses of the host, IPv6, broadcast and multicast. The container lacks the capability to change this: a
 * short-lived helper container configures it in the same network namespace. Idempotent.
 * @throws UnavailableError on failure; the container must not run then
 */
export async function confineNetwork(
  docker: Docker,
  ref: string,
  { dns, blocked }: Internet,
  machine: EngineAddresses,
): Promise<void> {
  const networks = [...privateNetworks, ...blocked, ...(await machine.get())];
  const { code, output } = await runHelper(docker, {
    script: confine,
    args: [dns.join(' '), [...new Set(networks)].join(' '), confinedSign],
    networkMode: `container:${ref}`,
    capabilities: ['NET_ADMIN'],
  });
  if (code !== 0) {
    throw new UnavailableError('engine_unavailable', 'The network of a container could not be confined', {
      cause: `ended with ${code}: ${output}`,
    });
  }
}

/** Milliseconds for which the addresses are cached. */
const validity = 60_000;

/** The IPv4 addresses of the engine's machine, which can differ from that of the service. */
export class EngineAddresses {
  readonly #docker: Docker;
  #known: Promise<string[]> | undefined;
  #askAt = 0;

  constructor(docker: Docker) {
    this.#docker = docker;
  }

  /** @throws UnavailableError when they cannot be read */
  async get(): Promise<string[]> {
    const now = performance.now();
    if (this.#known === undefined || now >= this.#askAt) {
      this.#askAt = now + validity;
      this.#known = readAddresses(this.#docker);
      // A failure is not cached: the next call retries.
      this.#known.catch(() => {
        this.#askAt = 0;
      });
    }
    return await this.#known;
  }
}

async function readAddresses(docker: Docker): Promise<string[]> {
  const script = '/.grader/bin/busybox ip -4 -o address';
  const { code, output } = await runHelper(docker, { script, networkMode: 'host', usernsMode: 'host' });
  const addresses = [...output.matchAll(/ inet (\d+\.\d+\.\d+\.\d+)/g)].map(([, address = '']) => address);
  if (code !== 0 || addresses.length === 0) {
    throw new UnavailableError('engine_unavailable', "The addresses of the engine's machine could not be read", {
      cause: { code, output },
    });
  }
  return addresses;
}
