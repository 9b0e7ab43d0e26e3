import type { Duplex } from 'node:stream';
import ssh2 from 'ssh2';
import {
  type ContainerShell,
  type ShellAccount,
  type ShellConnection,
  ShellConnectionLost,
} from '../../features/containers/container-shell.ts';
import type { ContainerEngine } from '../../ports/container-engine.ts';
import { acceptLongPackets } from './long-packets.ts';
import { SshConnection } from './ssh-connection.ts';

const defaultTimeout = 10_000;

export type SshShellOptions = {
  engine: Pick<ContainerEngine, 'openSshStream'>;
  /** Milliseconds from the open stream to the authenticated connection, again for each channel of it, and beyond a script's own limit. */
  timeout?: number;
};

const { Client, utils } = ssh2;

/** The key types and ciphers of one known server, the fastest that both sides have in native code. */
const algorithms = {
  kex: ['curve25519-sha256'],
  serverHostKey: ['ssh-ed25519'],
  cipher: ['aes128-gcm@openssh.com'],
  compress: ['none'],
} as const satisfies ssh2.Algorithms;

type KeyPair = { private: string; public: string };

/** ssh2 writes about one key in 250 in a form that it cannot read itself (a leading zero is lost): that one is thrown away. */
export function newKey(): KeyPair {
  for (;;) {
    const pair = utils.generateKeyPairSync('ed25519');
    const isReadable = [pair.private, pair.public].every((key) => !(utils.parseKey(key) instanceof Error));
    if (isReadable) return pair;
  }
}

/**
 * SSH over a stream that the container engine opens. The platform's key lives in this process's memory and nowhere else; each
 * connection's host key is made here, handed to the server over the stream before the first byte of SSH, and pinned.
 */
export class SshShell implements ContainerShell {
  readonly #options: SshShellOptions;
  readonly #clientKey = newKey();

  constructor(options: SshShellOptions) {
    this.#options = options;
  }

  async connect(ref: string, account: ShellAccount): Promise<ShellConnection> {
    const stream = await this.#options.engine.openSshStream(ref);
    const hostKey = newKey();
    const publicKey = this.#clientKey.public.split(' ').slice(0, 2).join(' ');
    stream.write(`${Buffer.from(hostKey.private).toString('base64')}\n${publicKey}\n`);
    return await this.#handshake(stream, account, hostKey);
  }

  async #handshake(stream: Duplex, account: ShellAccount, hostKey: KeyPair): Promise<SshConnection> {
    const client = new Client();
    const expected = Buffer.from(hostKey.public.split(' ')[1] ?? '', 'base64');
    const connection = new SshConnection(client, stream, this.#options.timeout ?? defaultTimeout);
    await new Promise<void>((resolve, reject) => {
      const fail = (error: Error): void => {
        stream.destroy();
        reject(new ShellConnectionLost('The connection to the container could not be made', { cause: error }));
      };
      client.once('ready', resolve);
      client.once('error', fail);
      client.once('close', () => fail(new Error('closed during the handshake')));
      client.connect({
        sock: stream,
        username: account,
        privateKey: this.#clientKey.private,
        hostVerifier: (key: Buffer) => key.equals(expected),
        algorithms: {
          ...algorithms,
          kex: [...algorithms.kex],
          serverHostKey: [...algorithms.serverHostKey],
          cipher: [...algorithms.cipher],
          compress: [...algorithms.compress],
        },
        authHandler: ['publickey'],
        readyTimeout: this.#options.timeout ?? defaultTimeout,
        keepaliveInterval: 0,
      });
      acceptLongPackets(client);
    });
    return connection;
  }
}
