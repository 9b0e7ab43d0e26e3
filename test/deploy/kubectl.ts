import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, connect as openConnection } from 'node:net';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { clusterSkip } from '../cluster.ts';

const run = promisify(execFile);

/** Why the manifests cannot be applied here, or false. They need `kubectl`, and images that are not in a registry. */
export const deploySkip: string | false = (() => {
  if (clusterSkip) return clusterSkip;
  if (process.env['TEST_IMAGE_LOADER'] === undefined) return 'TEST_IMAGE_LOADER names no program';
  const isThere = spawnSync('kubectl', ['version', '--client'], { stdio: 'ignore' }).status === 0;
  return isThere ? false : 'there is no kubectl';
})();

/** `kubectl` on the cluster of `KUBECONFIG`. @throws Error with its last lines */
export async function kubectl(...args: string[]): Promise<string> {
  return (await run('kubectl', args, { maxBuffer: 2 ** 26 })).stdout.trim();
}

/** Applies manifests that are given as objects. */
export async function apply(...objects: object[]): Promise<void> {
  const child = spawn('kubectl', ['apply', '--filename=-'], { stdio: ['pipe', 'ignore', 'pipe'] });
  const errors: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString()));
  child.stdin.end(JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`kubectl apply: ${errors.join('')}`);
}

/** A port of this machine that leads to a Pod, until it is disposed of. */
export async function forwardToPod(
  namespace: string,
  pod: string,
  port: number,
): Promise<Disposable & { url: string }> {
  const args = [`--namespace=${namespace}`, 'port-forward', `pod/${pod}`, `:${port}`];
  const child = spawn('kubectl', args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const errors: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString()));
  const [line] = (await Promise.race([
    once(createInterface(child.stdout), 'line'),
    once(child, 'exit').then(() => Promise.reject(new Error(`kubectl port-forward: ${errors.join('')}`))),
  ])) as [string];
  child.stdout.resume();
  const [, own] = /:(\d+) ->/.exec(line) ?? [];
  return { url: `http://127.0.0.1:${own}`, [Symbol.dispose]: () => void child.kill() };
}

/** A port at an address of this machine that leads to a port of its loopback, for Pods. */
export async function forwardToLoopback(host: string, port: number): Promise<Disposable & { port: number }> {
  const sockets = new Set<{ destroy(): void }>();
  const server = createServer((client) => {
    const target = openConnection(port, '127.0.0.1');
    for (const [from, to] of [
      [client, target],
      [target, client],
    ] as const) {
      sockets.add(from);
      from.setNoDelay();
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  }).listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('no port');
  const dispose = (): void => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { port: address.port, [Symbol.dispose]: dispose };
}
