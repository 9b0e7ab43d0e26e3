import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { TestServer } from '../server.ts';

/**
 * One address in this process for the pages of all its test servers, one server after the other. To the browser they are one site, so that
 * it continues with the pages that it has loaded: the first load at a new address costs more than a second of CPU time.
 */
class FrontDoor {
  readonly #sockets = new Set<Socket>();
  #address: Promise<string> | undefined;
  #server: TestServer | undefined;

  /** Leads the connections to a server from now on, which answers them as its own. */
  async leadTo(server: TestServer): Promise<string> {
    // The last server has ended.
    if (server !== this.#server) for (const socket of this.#sockets) socket.destroy();
    this.#server = server;
    this.#address ??= this.#open();
    return await this.#address;
  }

  async #open(): Promise<string> {
    // As an HTTP server accepts its connections.
    const door = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
      this.#server?.application.app.server.emit('connection', socket);
    });
    door.listen(0, '127.0.0.1').unref();
    await once(door, 'listening');
    return `http://127.0.0.1:${(door.address() as AddressInfo).port}`;
  }
}

export const frontDoor = new FrontDoor();
