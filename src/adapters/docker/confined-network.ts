import type Docker from 'dockerode';
import { Unavailable } from '../../errors.ts';
import { labels } from './container-options.ts';
import { graderImage } from './grader-volume.ts';

/** What containers with internet are told of the world, and what of it they do not reach. */
export type Internet = {
  /** IPv4 addresses of resolvers; containers reach these even where they lie in a blocked network. */
  dns: readonly string[];
  /** IPv4 networks (`203.0.113.0/24`) beyond those that are never reached. */
  blocked: readonly string[];
};

export const defaultInternet: Internet = { dns: ['9.9.9.9', '1.1.1.1'], blocked: [] };

export const internetNetwork = 'platform-internet';

/** Everything that is not the public internet (RFC 6890), metadata services of clouds (169.254.169.254) among it. */
const privateNetworks =
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 172.16.0.0/12 192.0.0.0/24 192.168.0.0/16 198.18.0.0/15 224.0.0.0/4 240.0.0.0/4'.split(
    ' ',
  );

/** Written last: its route tells the container that it may begin. In `/proc/net/route` it is `0000FEA9`. */
const sign = '169.254.0.0/16';

/**
 * What a container with internet begins with: it waits until its network is confined, then does what its image says. It comes
 * from the read-only volume, so that not even root in the container can change it before the next start.
 */
export const waitUntilConfined: readonly string[] = [
  '/.grader/bin/bash',
  '-c',
  `is_confined() {
  local interface network rest
  while read -r interface network rest; do [[ $interface == '*' && $network == 0000FEA9 ]] && return; done </proc/net/route
  return 1
}
until is_confined; do /.grader/bin/busybox sleep 0.02; done
exec "$@"`,
  'wait-until-confined',
];

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
 * Takes every way out of a container's network but the one to the public internet: no private network, no address of the link
 * (the machine under the container, other containers), no IPv6. The container has no capability to change that; it is done by
 * a short-lived container beside it, in the same network. Can be repeated.
 * @throws Unavailable when it could not be done: the container must not run then
 */
export async function confineNetwork(docker: Docker, ref: string, { dns, blocked }: Internet): Promise<void> {
  const helper = await docker.createContainer({
    Image: graderImage,
    Labels: { [labels.uid]: 'grader' },
    Entrypoint: ['/.grader/bin/bash', '-c', confine, 'confine'],
    Cmd: [dns.join(' '), [...privateNetworks, ...blocked].join(' '), sign],
    HostConfig: {
      NetworkMode: `container:${ref}`,
      CapDrop: ['ALL'],
      CapAdd: ['NET_ADMIN'],
      SecurityOpt: ['no-new-privileges'],
      ReadonlyRootfs: true,
      Memory: 64 * 1024 * 1024,
      PidsLimit: 16,
      LogConfig: { Type: 'none', Config: {} },
    },
  });
  try {
    const ended = helper.wait({ condition: 'next-exit' });
    await helper.start();
    const { StatusCode } = (await ended) as { StatusCode: number };
    if (StatusCode !== 0) {
      throw new Unavailable('The network of a container could not be confined', { cause: `ended with ${StatusCode}` });
    }
  } finally {
    await helper.remove({ force: true }).catch(() => undefined);
  }
}

/** `confine RESOLVERS NETWORKS SIGN`, each a list of words. The gateway stays reachable as the next hop, not as an address. */
const confine = `set -euo pipefail
export PATH=/.grader/bin
while read -r word via gateway dev interface rest; do
  if [[ $word == default ]]; then break; fi
done < <(ip route)
[[ $word == default && $via == via && $dev == dev ]]
ip route replace default via "$gateway" dev "$interface" onlink
for resolver in $1; do ip route replace "$resolver" via "$gateway" dev "$interface" onlink; done
for network in $2; do ip route replace prohibit "$network"; done
while read -r network rest; do
  case $network in */*) ;; *) continue ;; esac
  case $rest in
    *'scope link'*)
      ip route del "$network" dev "$interface"
      ip route replace prohibit "$network"
      ;;
  esac
done < <(ip route)
if [[ -s /proc/net/if_inet6 ]]; then
  ip -6 addr flush dev "$interface"
  ip -6 route flush dev "$interface"
fi
ip route replace prohibit "$3"`;
