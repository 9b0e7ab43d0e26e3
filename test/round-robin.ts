import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';

/** A plain proxy in front of several processes: one request here, the next there; a WebSocket stays where it began. */
export class RoundRobin implements AsyncDisposable {
  #targets: readonly URL[] = [];
  readonly #server: Server;
  // A connection each: one that was kept could be closed by its process just when a request is sent over it.
  readonly #agent = new Agent({ keepAlive: false });
  readonly #sockets = new Set<Duplex>();
  #turn = 0;

  constructor() {
    this.#server = createServer((incoming, outgoing) => {
      const { method, rawHeaders } = incoming;
      const { hostname: host, port } = this.#next();
      const onward = request({ agent: this.#agent, host, port, method, path: incoming.url, setHost: false });
      for (let at = 0; at < rawHeaders.length; at += 2)
        onward.appendHeader(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
      let isAnswered = false;
      onward.on('response', (answer) => {
        isAnswered = true;
        outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
        answer.pipe(outgoing);
      });
      // A process that refuses a body answers before all of it was sent, and closes.
      onward.on('error', () => void (isAnswered || outgoing.destroy()));
      incoming.on('error', () => onward.destroy());
      incoming.pipe(onward);
    });
    // Clients are told the processes' own time.
    this.#server.keepAliveTimeout = 100_000;
    this.#server.on('upgrade', (incoming, socket, head) => this.#upgrade(incoming, socket, head));
    this.#server.on('connection', (socket) => this.#keep(socket));
  }

  async start(urls: readonly string[]): Promise<this> {
    this.#targets = urls.map((url) => new URL(url));
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#agent.destroy();
    if (!this.#server.listening) return;
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await once(this.#server, 'close');
  }

  #next(): URL {
    this.#turn += 1;
    return this.#targets[this.#turn % this.#targets.length] as URL;
  }

  #upgrade({ method, url, rawHeaders }: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { hostname, port } = this.#next();
    const onward = connect(Number(port), hostname);
    this.#keep(onward);
    const lines = [`${method} ${url} HTTP/1.1`];
    for (let at = 0; at < rawHeaders.length; at += 2) lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`);
    onward.write(`${lines.join('\r\n')}\r\n\r\n`);
    onward.write(head);
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
    onward.pipe(socket);
    socket.pipe(onward);
  }

  #keep(socket: Duplex): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
  }
}
