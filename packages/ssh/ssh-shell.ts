import { type Duplex, PassThrough } from 'node:stream';
import type { Algorithms } from 'ssh2';
import {
  type ContainerDoors,
  type ContainerShell,
  type ShellAccount,
  type ShellConnection,
  ShellConnectionLostError,
} from './container-shell.ts';
import { EngineClient } from './engine-client.ts';
import { adaptPackets } from './gcm-packets.ts';
import { SshConnection } from './ssh-connection.ts';

const defaultTimeout = 10_000;

export type SshShellOptions = {
  engine: ContainerDoors;
  /** Milliseconds from the open stream to the authenticated connection, and for each channel; added to a script's own limit. */
  timeout?: number;
};

/** Loaded with the first connection. */
const ssh2 = async () => (await import('ssh2')).default;

/** Key types and ciphers for a known server: the fastest with native code on both sides. */
const algorithms = {
  kex: ['curve25519-sha256'],
  serverHostKey: ['ssh-ed25519'],
  cipher: ['aes128-gcm@openssh.com'],
  compress: ['none'],
} as const satisfies Algorithms;

type KeyPair = { private: string; public: string };

/**
 * About one generated key in 250 is written by ssh2 in a form that it cannot read (a leading zero is lost). Such a key is
 * discarded.
 */
export async function newKey(): Promise<KeyPair> {
  const { utils } = await ssh2();
  for (;;) {
    const pair = utils.generateKeyPairSync('ed25519');
    const isReadable = [pair.private, pair.public].every((key) => !(utils.parseKey(key) instanceof Error));
    if (isReadable) return pair;
  }
}

/**
 * SSH over a stream that the container engine opens. The client's key exists only in the memory of this process. The host key of
 * each connection is generated here, sent to the server over the stream before the first byte of SSH, and pinned.
 */
export class SshShell implements ContainerShell {
  readonly #options: SshShellOptions;
  #clientKey: Promise<KeyPair> | undefined;

  constructor(options: SshShellOptions) {
    this.#options = options;
  }

  async connect(ref: string, account: ShellAccount, { isPlain = false } = {}): Promise<ShellConnection> {
    try {
      return isPlain ? await this.#connectPlainly(ref, account) : await this.#connectBySsh(ref, account);
    } catch (error) {
      if (isPlain || !(error instanceof ShellConnectionLostError)) throw error;
      // Root of a container can remove or break the SSH server, and an account that may not log in.
      return await this.#connectPlainly(ref, account).catch(() => {
        throw error;
      });
    }
  }

  /** By commands of the engine. Reading nothing of the container, it works whatever was done there, and is slower. */
  async #connectPlainly(ref: string, account: ShellAccount): Promise<ShellConnection> {
    const client = new EngineClient(this.#options.engine, ref, account);
    const connection = new SshConnection(client, new PassThrough(), this.#options.timeout ?? defaultTimeout);
    try {
      await connection.check();
    } catch (error) {
      client.end();
      throw error;
    }
    return connection;
  }

  async #connectBySsh(ref: string, account: ShellAccount): Promise<ShellConnection> {
    const stream = await this.#options.engine.openSshStream(ref, account === 'grader');
    this.#clientKey ??= newKey();
    const [clientKey, hostKey] = await Promise.all([this.#clientKey, newKey()]);
    const publicKey = clientKey.public.split(' ').slice(0, 2).join(' ');
    stream.write(`${Buffer.from(hostKey.private).toString('base64')}\n${publicKey}\n`);
    const connection = await this.#handshake(stream, account, { clientKey, hostKey });
    if (account === 'grader') connection.prepareScripts();
    return connection;
  }

  async #handshake(
    stream: Duplex,
    account: ShellAccount,
    { clientKey, hostKey }: Record<'clientKey' | 'hostKey', KeyPair>,
  ): Promise<SshConnection> {
    const { Client } = await ssh2();
    const client = new Client();
    const expected = Buffer.from(hostKey.public.split(' ')[1] ?? '', 'base64');
    const connection = new SshConnection(client, stream, this.#options.timeout ?? defaultTimeout);
    await new Promise<void>((resolve, reject) => {
      const fail = (error: Error): void => {
        stream.destroy();
        reject(new ShellConnectionLostError('The connection to the container could not be made', { cause: error }));
      };
      client.once('ready', resolve);
      client.once('error', fail);
      client.once('close', () => fail(new Error('closed during the handshake')));
      client.connect({
        sock: stream,
        username: account,
        privateKey: clientKey.private,
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
      adaptPackets(client);
    });
    return connection;
  }
}
