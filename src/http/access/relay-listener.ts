import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
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
