import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Docker from 'dockerode';
import { until } from '../until.ts';

const program = '/usr/sbin/dockerd';
const unshare = '/usr/bin/unshare';
const umount = '/usr/bin/umount';

const mounted = async (folder: string): Promise<boolean> =>
  (await readFile('/proc/self/mounts', 'utf8')).split('\n').some((line) => line.split(' ')[1] === folder);

/**
 * A separate Docker Engine for a test, with its own data, processes, socket and network namespace. It does not affect the engine of the
 * other tests.
 */
export class SecondEngine implements AsyncDisposable {
  readonly folder: string;
  readonly docker: Docker;
  #process: ChildProcess | undefined;

  private constructor(folder: string) {
    this.folder = folder;
    this.docker = new Docker(this.options);
  }

  /** @returns the reason why it cannot run here */
  static async start(): Promise<SecondEngine | { reason: string }> {
    if (process.getuid?.() !== 0) return { reason: 'only root starts an engine' };
    const isThere = await access(program).then(
      () => true,
      () => false,
    );
    if (!isThere) return { reason: `there is no ${program}` };
    const engine = new SecondEngine(await mkdtemp(join(tmpdir(), 'platform-engine-')));
    try {
      await engine.start();
      return engine;
    } catch (error) {
      await engine[Symbol.asyncDispose]();
      throw error;
    }
  }

  get options(): Docker.DockerOptions {
    return { socketPath: join(this.folder, 'docker.sock') };
  }

  async start(): Promise<void> {
    await using log = await open(join(this.folder, 'log'), 'a');
    const places = { 'data-root': 'data', 'exec-root': 'run', pidfile: 'pid' };
    const args = Object.entries(places).map(([flag, name]) => `--${flag}=${join(this.folder, name)}`);
    // No bridge and no firewall rules, because containers of attempts have no network.
    const apart = ['--bridge=none', '--iptables=false', '--ip-forward=false', '--ip-masq=false'];
    const namespaces = ['--containerd-namespace=platform-test', '--containerd-plugins-namespace=platform-test-plugins'];
    const host = `--host=unix://${this.options.socketPath}`;
    const child = spawn(unshare, ['--net', program, host, ...args, ...apart, ...namespaces], {
      stdio: ['ignore', log.fd, log.fd],
      env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' },
    });
    this.#process = child;
    await until(async () => {
      if (child.exitCode !== null)
        throw new Error(`The engine ended: ${(await readFile(join(this.folder, 'log'), 'utf8')).slice(-2000)}`);
      return await this.docker.ping().then(
        () => true,
        () => false,
      );
    }, 'the second engine');
  }

  /** Copies images from another engine. */
  async load(from: Docker, images: readonly string[]): Promise<void> {
    for (const name of images) {
      const stream = await this.docker.loadImage(await from.getImage(name).get());
      stream.resume();
      await once(stream, 'end');
    }
  }

  /** SIGTERM: it stops its containers, then ends. */
  async stop(): Promise<void> {
    await this.#end('SIGTERM');
  }

  /** SIGKILL: the containers continue unmanaged until the next engine ends them. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  async #end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const end = once(child, 'exit');
    child.kill(signal);
    await end;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const left = await this.docker.listContainers({ all: true }).catch(() => []);
    await Promise.allSettled(left.map(({ Id }) => this.docker.getContainer(Id).remove({ force: true, v: true })));
    await this.stop();
    // A killed engine leaves it mounted on itself.
    while (await mounted(join(this.folder, 'data'))) execFileSync(umount, [join(this.folder, 'data')]);
    await rm(this.folder, { recursive: true, force: true });
  }
}
