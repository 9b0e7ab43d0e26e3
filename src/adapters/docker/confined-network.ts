import type Docker from 'dockerode';
import { UnavailableError } from '../../errors.ts';
import { confinedSign } from '../engine/gate.ts';
import { confine, type Internet, privateNetworks } from '../engine/internet.ts';
import type { EngineAddresses } from './engine-addresses.ts';
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
