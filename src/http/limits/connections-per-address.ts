import type { Server, Socket } from 'node:net';
import { isIPv6 } from 'node:net';

/**
 * Closes each new connection of an address that already has `max`, before anything is read from it. One client with many idle
 * connections can then not exhaust the limit for all. Not for use behind a proxy, where all connections have its address.
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

/**
 * The address itself for IPv4, including mapped addresses (`::ffff:192.0.2.1`). The /64 network for IPv6, because one client owns
 * all of it.
 */
export function networkOf(address: string): string {
  const whole = groupsOf(address);
  return typeof whole === 'string' ? whole : `${whole.slice(0, 4).join(':')}::/64`;
}

/**
 * The largest network that a provider assigns to one customer: /24 for IPv4, /56 for IPv6. For queues and counters, where
 * neighbours may share a fair part; not for refusals that would lock out neighbours.
 */
export function customerNetworkOf(address: string): string {
  const whole = groupsOf(address);
  if (typeof whole === 'string') return whole.replace(/\.\d+$/, '.0/24');
  const last = Number.parseInt(whole[3] ?? '0', 16) & 0xff00;
  return `${whole.slice(0, 3).join(':')}:${last.toString(16)}::/56`;
}

/** The groups of an IPv6 address; an IPv4 address is returned unchanged. */
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
