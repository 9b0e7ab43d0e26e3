import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net';

/** Stands between the service and something it depends on, on a port of its own, and can be cut and restored. */
export class Cut implements AsyncDisposable {
  readonly #server = createServer((socket) => this.#accept(socket));
  readonly #sockets = new Set<Socket>();
  readonly #target: NetConnectOpts;
  #isCut = false;

  constructor(target: NetConnectOpts) {
    this.#target = target;
  }

  async start(): Promise<number> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  /** As when the other side is stopped: every connection breaks, and no new one is taken. */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  restore(): void {
    this.#isCut = false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #accept(socket: Socket): void {
    if (this.#isCut) {
      socket.destroy();
      return;
    }
    const onward = connect(this.#target);
    for (const end of [socket, onward]) {
      this.#sockets.add(end);
      end.on('error', () => {});
      end.once('close', () => {
        this.#sockets.delete(end);
        (end === socket ? onward : socket).destroy();
      });
    }
    socket.pipe(onward);
    onward.pipe(socket);
  }
}
