import { isIP, isIPv4 } from 'node:net';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** The address of the client. Unlike `ip`, always an IP address, without a port, a zone or the prefix of a mapped IPv4 address. */
    clientAddress: string;
  }
}

/** Whatever a proxy writes into `X-Forwarded-For`, a request has an IP address: that of the connection, if there is no other. */
export function installClientAddress(app: FastifyInstance): void {
  app.decorateRequest('clientAddress', {
    getter() {
      return addressIn(this.ip ?? '') ?? addressIn(this.socket.remoteAddress ?? '') ?? '0.0.0.0';
    },
  });
}

/** The IP address in the forms that proxies write: `192.0.2.1:443`, `[2001:db8::1]`, `[2001:db8::1]:443`, `::ffff:192.0.2.1`. */
export function addressIn(text: string): string | undefined {
  if (text.length > 100) return undefined;
  const [, bracketed] = /^"?\[([^\]]*)\](?::\d+)?"?$/.exec(text.trim()) ?? [];
  const bare = (bracketed ?? text.trim()).replace(/%.*$/, '');
  const [, withoutPort] = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(bare) ?? [];
  const address = (withoutPort ?? bare).replace(/^::ffff:(?=\d+\.)/i, '');
  if (isIPv4(address)) return address;
  return isIP(bare) === 6 ? bare.toLowerCase() : undefined;
}
