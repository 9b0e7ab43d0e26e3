import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * Lets the server close while clients keep connections open that bring no whole request, or do not read their answer: a browser's
 * spare one, a stalled or slow one. Node stops enforcing its own limits on them when the server closes, and would wait forever.
 * A connection that has sent nothing is closed at once, an idle one by Node. An unfinished request and an unread answer have `timeout`
 * milliseconds.
 */
export function endUnfinishedRequests(app: FastifyInstance, timeout: number): void {
  /** Each open connection, with its request once the head is complete. An upgraded one has none. */
  const connections = new Map<Socket, IncomingMessage | undefined>();
  let isClosing = false;
  app.server.on('connection', (socket: Socket) => {
    if (isClosing) {
      socket.destroy();
      return;
    }
    connections.set(socket, undefined);
    socket.once('close', () => connections.delete(socket));
  });
  app.server.on('request', (request, response) => {
    connections.set(request.socket, request);
    response.once('close', () => {
      if (connections.get(request.socket) !== request) return;
      connections.set(request.socket, undefined);
      if (isClosing) request.socket.destroySoon();
    });
  });
  app.server.on('upgrade', ({ socket }) => connections.delete(socket));
  app.addHook('preClose', async () => {
    isClosing = true;
    for (const [socket, request] of connections) if (!request && socket.bytesRead === 0) socket.destroy();
    setTimeout(() => {
      for (const [socket, request] of connections)
        if (!request?.complete || socket.writableLength > 0) socket.destroy();
    }, timeout).unref();
  });
}
