import type { Server } from 'node:net';
import { networkInterfaces } from 'node:os';

/** The address at which other processes reach a server, such as `http://10.0.0.7:8000`; undefined until it listens. */
export function ownUrl(server: Server, host: string): string | undefined {
  const address = server.address();
  if (address === null || typeof address === 'string') return undefined;
  const isEverywhere = ['0.0.0.0', '::', ''].includes(host);
  const outward = Object.values(networkInterfaces())
    .flat()
    .find((one) => one && !one.internal && one.family === 'IPv4');
  const name = isEverywhere ? (outward?.address ?? '127.0.0.1') : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${address.port}`;
}
