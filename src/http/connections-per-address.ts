import type { Server, Socket } from 'node:net';
import { isIPv6 } from 'node:net';

/**
 * Closes, before anything is read from it, each connection of an address that has `max` already, so that who opens many and says
 * nothing does not take the room of all others. Where a proxy stands in front all connections have its address: not to be used there.
 */
export function limitConnectionsPerAddress(server: Server, max: number): void {
  const counts = new Map<string, number>();
  server.prependListener('connection', (socket: Socket) => {
    const address = networkOf(socket.remoteAddress ?? '');
    const count = counts.get(address) ?? 0;
    if (count >= max) {
      socket.destroy();
      return;
    }
    counts.set(address, count + 1);
    socket.once('close', () => {
      const left = (counts.get(address) ?? 0) - 1;
      if (left > 0) counts.set(address, left);
      else counts.delete(address);
    });
  });
}

/** IPv4 as it is, also where it comes as IPv6 (`::ffff:192.0.2.1`); of IPv6 the /64 network, which one client has all of. */
export function networkOf(address: string): string {
  const whole = groupsOf(address);
  return typeof whole === 'string' ? whole : `${whole.slice(0, 4).join(':')}::/64`;
}

/**
 * The network that one customer of a provider has at most: of IPv4 the /24, of IPv6 the /56. For queues and counts, where neighbours
 * share what is fair for one; not for refusals that would shut out neighbours altogether.
 */
export function customerNetworkOf(address: string): string {
  const whole = groupsOf(address);
  if (typeof whole === 'string') return whole.replace(/\.\d+$/, '.0/24');
  const last = Number.parseInt(whole[3] ?? '0', 16) & 0xff00;
  return `${whole.slice(0, 3).join(':')}:${last.toString(16)}::/56`;
}

/** The groups of an IPv6 address; IPv4 as it is. */
function groupsOf(address: string): string | string[] {
  if (!isIPv6(address)) return address;
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = '', tail] = address.replace(/%.*$/, '').split('::');
  const groups = head === '' ? [] : head.split(':');
  const rest = tail === undefined || tail === '' ? [] : tail.split(':');
  const whole = tail === undefined ? groups : [...groups, ...Array(8 - groups.length - rest.length).fill('0'), ...rest];
  return whole.map((group) => Number.parseInt(group, 16).toString(16));
}
