import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashSync } from '@node-rs/bcrypt';
import Docker from 'dockerode';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

/** Debian's registry on a loopback port, with one user. Engines take plain HTTP from loopback. */
export class ImageRegistry implements AsyncDisposable {
  readonly credential = { username: 'school', password: 'registry-secret-7261' };
  readonly #docker = new Docker();
  readonly #folder: string;
  readonly #port: number;
  #process: ChildProcess | undefined;

  private constructor(folder: string, port: number) {
    [this.#folder, this.#port] = [folder, port];
  }

  static async start(): Promise<ImageRegistry> {
    await using cleanup = new AsyncDisposableStack();
    const folder = await mkdtemp(join(tmpdir(), 'platform-registry-'));
    cleanup.defer(() => rm(folder, { recursive: true, force: true }));
    const registry = new ImageRegistry(folder, await freePort());
    const { username, password } = registry.credential;
    await writeFile(join(folder, 'users'), `${username}:${hashSync(password, { cost: 4 })}\n`);
    const auth = { htpasswd: { realm: 'registry', path: join(folder, 'users') } };
    const storage = { filesystem: { rootdirectory: join(folder, 'data') } };
    const http = { addr: `127.0.0.1:${registry.#port}`, secret: 'x' };
    // YAML includes JSON.
    await writeFile(join(folder, 'config.yml'), JSON.stringify({ version: 0.1, auth, storage, http }));
    await registry.open();
    cleanup.move();
    return registry;
  }

  get host(): string {
    return `127.0.0.1:${this.#port}`;
  }

  reference(name: string): string {
    return `${this.host}/school/${name}`;
  }

  async open(): Promise<void> {
    this.#process = spawn('docker-registry', ['serve', join(this.#folder, 'config.yml')], { stdio: 'ignore' });
    await until(
      async () => (await fetch(`http://127.0.0.1:${this.#port}/v2/`).catch(() => undefined))?.status === 401,
      'an answer of the registry',
      120_000,
    );
  }

  async close(): Promise<void> {
    const running = this.#process;
    this.#process = undefined;
    if (!running || running.exitCode !== null) return;
    const ended = once(running, 'exit');
    running.kill('SIGKILL');
    await ended;
  }

  /**
   * Pushes an image, which the engine then has under its identifier only, if at all.
   * @param changes instructions of a Dockerfile. None: the image itself
   */
  async push(name: string, from: string, changes: readonly string[] = []): Promise<void> {
    const reference = this.reference(name);
    const parent = this.#docker.getImage(from);
    const colon = reference.lastIndexOf(':');
    const [repo, tag] = [reference.slice(0, colon), reference.slice(colon + 1)];
    if (changes.length === 0) await parent.tag({ repo, tag });
    else {
      const container = await this.#docker.createContainer({ Image: from, Cmd: ['true'] });
      try {
        await container.commit({ repo, tag, changes: changes.join('\n') });
      } finally {
        await container.remove({ force: true });
      }
    }
    const stream = await this.#docker
      .getImage(reference)
      .push({ authconfig: { ...this.credential, serveraddress: '' } });
    let failure = '';
    for await (const chunk of stream as AsyncIterable<Buffer>) if (/"error"/.test(`${chunk}`)) failure = `${chunk}`;
    if (failure !== '') throw new Error(failure);
    await this.#docker.getImage(reference).remove();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
    // Those that were pulled or made under a name of this registry, too.
    const filters = JSON.stringify({ reference: [this.reference('*')] });
    const left = await this.#docker.listImages({ filters });
    const names = left.flatMap(({ RepoTags }) => RepoTags ?? []).filter((name) => name.startsWith(`${this.host}/`));
    await Promise.all(
      names.map((one) =>
        this.#docker
          .getImage(one)
          .remove({ force: true })
          .catch(() => undefined),
      ),
    );
    await rm(this.#folder, { recursive: true, force: true });
  }
}
