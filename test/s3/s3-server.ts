import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import type { S3Log } from '../../src/adapters/s3/bucket.ts';
import { S3Store, type S3StoreSettings } from '../../src/adapters/s3/s3-store.ts';
import type { Tuning } from '../../src/config/tuning.ts';
import { freePort } from '../free-port.ts';

/** Why tests of object storage cannot run here, or false. */
export const s3Skip: string | false = process.env['TEST_WITHOUT_S3'] ?? false;

/** What happens to a request on its way. */
export type Fault =
  | { kind: 'hang' }
  /** An answer of the server's kind, without asking it. */
  | { kind: 'answer'; status: number; code: string }
  /** The answer ends after so many bytes of its body. */
  | { kind: 'cut'; after: number }
  /** The server carries the request out, and its answer is lost. */
  | { kind: 'lose answer' };

export type Passing = { method: string; path: string; bytes: number };

const secret = 'a secret+key/of=the tests'.replaceAll(' ', '-');

/**
 * OpenStack Swift of Debian with its S3 interface, which checks signatures, on a free port, behind a proxy that can fail. It has one
 * bucket.
 */
export class S3Server implements AsyncDisposable {
  readonly settings: S3StoreSettings;
  /** The fault of a request, if any. */
  fault: (request: Passing) => Fault | undefined = () => undefined;
  /** The requests so far. */
  readonly requests: Passing[] = [];
  readonly #proxy: Server;
  readonly #port: number;
  #cleanup = new AsyncDisposableStack();
  readonly #sockets = new Set<Socket>();
  readonly #agent = new Agent({ keepAlive: true });

  private constructor(target: number, proxy: Server) {
    this.#proxy = proxy;
    this.#port = (proxy.address() as AddressInfo).port;
    proxy.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) =>
      this.#pass(incoming, outgoing, target),
    );
    proxy.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    this.settings = {
      endpoint: `http://127.0.0.1:${this.#port}`,
      bucket: 'platform',
      region: 'us-east-1',
      accessKeyId: 'school:service',
      secretAccessKey: secret,
      prefix: '',
      timeout: 15_000,
      appendDelay: 200,
    };
  }

  static async start(): Promise<S3Server> {
    await using cleanup = new AsyncDisposableStack();
    const folder = await mkdtemp(join(tmpdir(), 'platform-s3-'));
    cleanup.defer(() => rm(folder, { recursive: true, force: true }));
    const script = join(import.meta.dirname, 'swift_server.py');
    // Not the Python of the user: the packages belong to that of the system.
    const swift = spawn('/usr/bin/python3', ['-B', script, folder, 'school', 'service', secret], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    cleanup.defer(() => endOf(swift));
    const [line] = (await Promise.race([
      once(createInterface(swift.stdout), 'line'),
      once(swift, 'exit').then(([code]) => Promise.reject(new Error(`The S3 server ended with ${code} at its start`))),
    ])) as [string];
    const proxy = createServer().listen(await freePort(), '127.0.0.1');
    await once(proxy, 'listening');
    cleanup.defer(async () => {
      if (proxy.listening) await closed(proxy);
    });
    const server = new S3Server(Number(line), proxy);
    cleanup.defer(() => server.#agent.destroy());
    cleanup.defer(() => server.#breakConnections());
    const { endpoint, region, bucket, accessKeyId, secretAccessKey } = server.settings;
    const credentials = { accessKeyId, secretAccessKey };
    const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
    await client.send(new CreateBucketCommand({ Bucket: bucket }));
    client.destroy();
    server.#cleanup = cleanup.move();
    return server;
  }

  /** A store with a part of the bucket of its own. */
  store(settings: Partial<S3StoreSettings> = {}, log?: S3Log): S3Store {
    return new S3Store({ ...this.settings, ...settings }, log);
  }

  /** The configuration of a service. */
  environment(prefix: string): Record<Uppercase<string>, string> {
    const { endpoint, bucket, region, accessKeyId, secretAccessKey } = this.settings;
    return {
      ...{ S3_ENDPOINT: endpoint, S3_BUCKET: bucket, S3_REGION: region, S3_PREFIX: prefix },
      ...{ S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey },
      SERVICE_TUNING: JSON.stringify({ s3AppendSeconds: 1 } satisfies Partial<Tuning>),
      SECRET_KEY: 'the same for each replica of a test',
    };
  }

  /** Nothing listens, and open connections break. */
  async shut(): Promise<void> {
    const end = closed(this.#proxy);
    this.#breakConnections();
    await end;
  }

  #breakConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async listen(): Promise<void> {
    this.#proxy.listen(this.#port, '127.0.0.1');
    await once(this.#proxy, 'listening');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#cleanup.disposeAsync();
  }

  /** It passes requests on unchanged, with the address that they were signed for. */
  #pass(incoming: IncomingMessage, outgoing: ServerResponse, port: number): void {
    const { method = '', url = '', rawHeaders } = incoming;
    const passing = { method, path: url, bytes: Number(incoming.headers['content-length'] ?? 0) };
    this.requests.push(passing);
    const fault = this.fault(passing);
    if (fault?.kind === 'hang') return void incoming.resume();
    if (fault?.kind === 'answer') {
      incoming.resume();
      incoming.on('end', () => {
        outgoing.writeHead(fault.status, { 'content-type': 'application/xml' });
        outgoing.end(`<?xml version="1.0"?><Error><Code>${fault.code}</Code><Message>m</Message></Error>`);
      });
      return;
    }
    const onward = request({ agent: this.#agent, host: '127.0.0.1', port, method, path: url, setHost: false });
    for (let at = 0; at < rawHeaders.length; at += 2)
      onward.appendHeader(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
    onward.on('response', (answer) => {
      if (fault?.kind === 'lose answer') {
        answer.resume();
        answer.on('end', () => outgoing.destroy());
        return;
      }
      outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      let left = fault?.kind === 'cut' ? fault.after : Number.POSITIVE_INFINITY;
      answer.on('data', (chunk: Buffer) => {
        outgoing.write(chunk.subarray(0, left));
        left -= chunk.length;
        if (left <= 0) outgoing.destroy();
      });
      answer.on('end', () => outgoing.end());
    });
    onward.on('error', () => outgoing.destroy());
    incoming.on('error', () => onward.destroy());
    incoming.pipe(onward);
  }
}

async function closed(server: Server): Promise<void> {
  const end = once(server, 'close');
  server.close();
  await end;
}

async function endOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const end = once(child, 'exit');
  child.stdin?.end();
  await end;
}
