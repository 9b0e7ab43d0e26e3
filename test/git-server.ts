import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import Docker from 'dockerode';
import { freePort } from './free-port.ts';
import { type CommitOptions, type Entry, importStream, run } from './git-repository.ts';

/** The container stops after this many seconds, in case a test dies before it can stop it. */
const lifetime = '900';
const folder = '/etc/git-server';

/**
 * A Git server on a loopback port: OpenSSH's sshd in a container without a network, with one `sshd -i` for each connection. It has a
 * repository, a user `git` and one authorized key.
 */
export class GitServer implements AsyncDisposable {
  readonly #container: Docker.Container;
  readonly #keys: string;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #port = 0;
  #commits = 0;
  #hostKey = '';
  /** The number of connections so far. */
  connections = 0;

  private constructor(container: Docker.Container, keys: string) {
    this.#container = container;
    this.#keys = keys;
  }

  static async start(): Promise<GitServer> {
    await using cleanup = new AsyncDisposableStack();
    const keys = await mkdtemp(join(tmpdir(), 'platform-git-keys-'));
    cleanup.defer(() => rm(keys, { recursive: true, force: true }));
    for (const name of ['good', 'wrong'])
      await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(keys, name)]);
    const container = await new Docker().createContainer({
      Image: 'platform-sandbox',
      Entrypoint: ['sleep'],
      Cmd: [lifetime],
      HostConfig: { NetworkMode: 'none', AutoRemove: true, Init: true },
    });
    cleanup.defer(() => container.remove({ force: true }));
    await container.start();
    const server = new GitServer(container, keys);
    await server.exec(
      `mkdir -p /run/sshd ${folder} && useradd --create-home --password '*' git &&
       cat > ${folder}/authorized_keys && install -d -o git /srv/lessons.git &&
       runuser -u git -- git init --quiet --bare --initial-branch=main /srv/lessons.git`,
      await readFile(`${server.keyPath}.pub`),
    );
    await server.changeHostKey('ed25519');
    await server.listen();
    cleanup.move();
    return server;
  }

  get keyPath(): string {
    return join(this.#keys, 'good');
  }

  /** A key that the server rejects. */
  get wrongKeyPath(): string {
    return join(this.#keys, 'wrong');
  }

  get url(): string {
    return `ssh://git@127.0.0.1:${this.#port}/srv/lessons.git`;
  }

  /** The server's public host key as a line of a known-hosts file. */
  async knownHost(): Promise<string> {
    return `[127.0.0.1]:${this.#port} ${(await this.exec(`cat ${this.#hostKey}.pub`)).trim()}\n`;
  }

  /** Accepts connections on the same port as before. */
  async listen(): Promise<void> {
    this.#server = createServer((socket) => void this.#serve(socket).catch(() => socket.destroy()));
    this.#port ||= await freePort();
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  /** Simulates a server that is down: nothing listens, and open connections break. */
  async shut(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  }

  /** Connections with the key before end: one that had begun would see what is committed next. */
  async changeHostKey(type: 'ed25519' | 'ecdsa' | 'rsa'): Promise<void> {
    const hostKey = `${folder}/host-${type}-${Math.random().toString(36).slice(2)}`;
    await this.exec(`ssh-keygen -q -t ${type} -N '' -f ${hostKey}`);
    this.#hostKey = hostKey;
    for (const socket of this.#sockets) socket.destroy();
  }

  /** @returns the id of the new commit */
  async commit(files: Record<string, Entry>, options: CommitOptions = {}): Promise<string> {
    const isNewHistory = options.isNewHistory ?? this.#commits === 0;
    this.#commits += 1;
    const stream = importStream(files, { ...options, isNewHistory, at: this.#commits });
    return (
      await this.exec(
        `cd /srv/lessons.git && runuser -u git -- git fast-import --quiet --force && runuser -u git -- git rev-parse refs/heads/${options.branch ?? 'main'}`,
        stream,
      )
    ).trim();
  }

  /** Runs a script as root in the container. @throws Error with its standard error */
  async exec(script: string, input: string | Buffer = ''): Promise<string> {
    const exec = await this.#container.exec({
      Cmd: ['sh', '-ec', script],
      AttachStdin: true,
      AttachStdout: true,
      AttachStderr: true,
    });
    const stream = await exec.start({ hijack: true, stdin: true });
    const output: Buffer[] = [];
    const complaints: Buffer[] = [];
    const gather = (chunks: Buffer[]) => new PassThrough().on('data', (chunk: Buffer) => chunks.push(chunk));
    this.#container.modem.demuxStream(stream, gather(output), gather(complaints));
    stream.end(input);
    await once(stream, 'end');
    const { ExitCode: code } = await exec.inspect();
    if (code !== 0) throw new Error(`In the Git server (${code}): ${Buffer.concat(complaints)}`);
    return Buffer.concat(output).toString();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.shut();
    await this.#container.remove({ force: true });
    await rm(this.#keys, { recursive: true, force: true });
  }

  async #serve(socket: Socket): Promise<void> {
    this.connections += 1;
    this.#sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#sockets.delete(socket));
    const options = [
      `HostKey=${this.#hostKey}`,
      `AuthorizedKeysFile=${folder}/authorized_keys`,
      'StrictModes=no',
      'UsePAM=no',
      'PasswordAuthentication=no',
    ];
    const exec = await this.#container.exec({
      Cmd: ['/usr/sbin/sshd', '-i', '-e', '-f', '/dev/null', ...options.flatMap((option) => ['-o', option])],
      AttachStdin: true,
      AttachStdout: true,
      AttachStderr: true,
    });
    const stream = await exec.start({ hijack: true, stdin: true });
    stream.on('error', () => socket.destroy());
    stream.on('end', () => socket.end());
    socket.on('close', () => stream.destroy());
    this.#container.modem.demuxStream(stream, socket, new PassThrough().resume());
    socket.pipe(stream);
  }
}
