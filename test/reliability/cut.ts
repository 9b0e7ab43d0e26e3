import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net';
import { Transform } from 'node:stream';

/** Where to cut: before a request reaches the other side, or when its answer arrives. */
type Trap = { request: RegExp; when: 'before' | 'answered'; sprung: () => void };

/** A proxy between the service and a dependency, which can be cut and restored. */
export class Cut implements AsyncDisposable {
  readonly #server = createServer((socket) => this.#accept(socket));
  readonly #sockets = new Set<Socket>();
  readonly #target: NetConnectOpts;
  #isCut = false;
  #isHeld = false;
  #trap: Trap | undefined;

  constructor(target: NetConnectOpts) {
    this.#target = target;
  }

  async start(): Promise<number> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  /** Like a stopped dependency: every connection is closed, and new ones are refused. */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Cuts at the first request whose beginning matches. @returns after it has arrived */
  cutAt(request: RegExp, when: Trap['when']): Promise<void> {
    return new Promise((resolve) => {
      this.#trap = { request, when, sprung: resolve };
    });
  }

  /** Like a dependency that hangs: connections stay open and new ones are accepted, but no data passes. */
  freeze(): void {
    this.#isHeld = true;
    for (const socket of this.#sockets) socket.pause();
  }

  restore(): void {
    this.#isCut = false;
    this.#isHeld = false;
    for (const socket of this.#sockets) socket.resume();
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
    let trap: Trap | undefined;
    const spring = (sprung: Trap) => {
      this.cut();
      sprung.sprung();
    };
    const toServer = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        const found = this.#trap?.request.test(chunk.toString('latin1', 0, 200)) ? this.#trap : undefined;
        if (found) this.#trap = undefined;
        if (found?.when === 'before') return spring(found);
        trap = found ?? trap;
        done(null, chunk);
      },
    });
    const toClient = new Transform({
      transform: (chunk: Buffer, _encoding, done) => (trap ? spring(trap) : done(null, chunk)),
    });
    socket.pipe(toServer).pipe(onward);
    onward.pipe(toClient).pipe(socket);
    if (this.#isHeld) for (const end of [socket, onward]) end.pause();
  }
}
