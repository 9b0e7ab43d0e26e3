import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';

/** A proxy between two processes that records the traffic in both directions. With a certificate it terminates TLS. */
export class TappedLine implements AsyncDisposable {
  readonly #server;
  readonly #sockets = new Set<Socket>();
  #target = '';
  #chunks: Buffer[] = [];
  connections = 0;

  constructor(tls?: { key: string; cert: string }) {
    const serve = (socket: Socket) => this.#serve(socket);
    this.#server = tls ? createTlsServer(tls, serve) : createServer(serve);
    this.#server.on('tlsClientError', () => {});
  }

  async start(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  leadTo(url: string): void {
    this.#target = url;
  }

  /** The traffic since the last call. */
  take(): string {
    const text = Buffer.concat(this.#chunks).toString('latin1');
    this.#chunks = [];
    return text;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await once(this.#server, 'close');
  }

  #serve(socket: Socket): void {
    this.connections += 1;
    const { hostname, port } = new URL(this.#target);
    const onward = connect(Number(port), hostname);
    for (const [from, to] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      this.#sockets.add(from);
      from.on('close', () => this.#sockets.delete(from));
      from.on('error', () => to.destroy());
      from.on('data', (chunk: Buffer) => this.#chunks.push(chunk));
      from.pipe(to);
    }
  }
}
