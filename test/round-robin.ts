import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';

/** A simple proxy in front of several processes. Requests alternate between the processes, and a WebSocket stays on its first process. */
export class RoundRobin implements AsyncDisposable {
  #targets: readonly URL[] = [];
  readonly #server: Server;
  // One connection per request: a process could close a kept one just when a request is sent over it.
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
      // A process that refuses a body answers before the whole body is sent, and closes the connection.
      onward.on('error', () => void (isAnswered || outgoing.destroy()));
      incoming.on('error', () => onward.destroy());
      incoming.pipe(onward);
    });
    // Longer than the processes' own timeout, which clients should see.
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
