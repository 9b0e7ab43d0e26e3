import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { networkInterfaces } from 'node:os';
import type { FastifyInstance } from 'fastify';

export type RelayDoorOptions = {
  host: string;
  /** The header that every request of another process has. */
  header: string;
  maxConnections: number;
};

/**
 * The address of one of several processes that share their public one: a port of its own, chosen by the system, for the terminals that
 * other processes relay to it. It accepts those WebSockets only. Everything else is refused, so that no limit of the public address is
 * evaded here.
 */
export async function listenForRelays(
  app: FastifyInstance,
  { host, header, maxConnections }: RelayDoorOptions,
): Promise<Server> {
  const door = createServer((_request, response) => void response.writeHead(404, { connection: 'close' }).end());
  door.maxConnections = maxConnections;
  door.on('upgrade', (request, socket, head) => {
    if (request.headers[header] === undefined) socket.destroy();
    else app.server.emit('upgrade', request, socket, head);
  });
  door.listen({ host, port: 0 });
  await once(door, 'listening');
  return door;
}

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
