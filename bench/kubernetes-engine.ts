/**
 * What containers on Kubernetes cost the API server: requests and bytes for a start, a terminal, a key and a megabyte of output, beside
 * the same on Docker. Bytes are those of the TLS connections. Needs a cluster (`KUBECONFIG`) that has the images.
 */
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { declaredBy, imageNames } from '../images/definitions.ts';
import { SshShell } from '../packages/ssh/ssh-shell.ts';
import { ObjectFolder } from '../src/adapters/disk/object-folder.ts';
import { readAtMost } from '../src/adapters/engine/bounded-output.ts';
import { openCluster } from '../src/adapters/kubernetes/cluster.ts';
import { ImageList } from '../src/adapters/kubernetes/image-facts.ts';
import { KubernetesEngine } from '../src/adapters/kubernetes/kubernetes-engine.ts';
import { HomeFiles } from '../src/features/capacity/home-files.ts';
import type { ContainerEngine } from '../src/ports/container-engine.ts';
import { removeFromCluster } from '../test/cluster.ts';
import { engines, smallContainer } from '../test/engines.ts';

const row = (what: string, ours: string, reference = '', ratio = '', bound = ''): void =>
  void process.stdout.write(`| ${what} | ${ours} | ${reference} | ${ratio} | ${bound} |\n`);

const kubeconfig = process.env['KUBECONFIG'] ?? '';
const folder = await mkdtemp(join(tmpdir(), 'platform-bench-'));
const direct = await openCluster({ kubeconfig });
const { hostname, port } = new URL(direct.server);
const traffic = { bytes: 0, connections: 0 };
const proxy = createServer((client) => {
  traffic.connections += 1;
  const server = connect(Number(port || 443), hostname);
  for (const [from, to] of [
    [client, server],
    [server, client],
  ] as const) {
    from.setNoDelay();
    from.on('data', (chunk: Buffer) => {
      traffic.bytes += chunk.length;
    });
    from.pipe(to);
    from.on('error', () => to.destroy());
  }
}).listen(0, '127.0.0.1');
await once(proxy, 'listening');
const counted = join(folder, 'kubeconfig');
const own = `https://${hostname}:${(proxy.address() as AddressInfo).port}`;
await writeFile(counted, (await readFile(kubeconfig, 'utf8')).replaceAll(direct.server, own), { mode: 0o600 });

/** Seconds of processor time of the API server, if this account may read its metrics. */
async function apiServerSeconds(): Promise<number> {
  const { options } = await direct.socket('/metrics');
  const [answer] = (await once(get(`${direct.server}/metrics`, options), 'response')) as [IncomingMessage];
  const text = await readAtMost(answer, 2 ** 26);
  return Number(/^process_cpu_seconds_total (\S+)/m.exec(text)?.[1] ?? Number.NaN);
}

const internet = { dns: ['9.9.9.9'], blocked: [] };
const placement = { nodeSelector: {}, tolerations: [], pullSecrets: [], requestPercent: 5, imagePrefix: '' };
const installation = `bench-${crypto.randomUUID()}`;
const cluster = await openCluster({ kubeconfig: counted });
const engine = new KubernetesEngine({
  ...{ cluster, installation, internet, placement, callTimeout: 30_000 },
  homes: new HomeFiles(new ObjectFolder(folder), { limit: 2 ** 28, refusal: () => new Error('a home is too large') }),
  images: new ImageList(imageNames.map((name) => [name, declaredBy(name)] as const)),
});

type Cost = { requests: number; bytes: number; milliseconds: number; seconds: number };
async function costOf(work: () => Promise<void>): Promise<Cost> {
  const [requests, bytes, begin, seconds] = [
    cluster.requests,
    traffic.bytes,
    performance.now(),
    await apiServerSeconds(),
  ];
  await work();
  const milliseconds = performance.now() - begin;
  // What the other side still sends.
  await new Promise((resolve) => setTimeout(resolve, 200));
  return {
    requests: cluster.requests - requests,
    bytes: traffic.bytes - bytes,
    milliseconds,
    seconds: (await apiServerSeconds()) - seconds,
  };
}
const tell = (what: string, count: number, cost: Cost, reference?: Cost): void => {
  const each = (value: number) => value / count;
  row(
    `Kubernetes: ${what}`,
    `${each(cost.milliseconds).toFixed(1)} ms; ${each(cost.requests).toFixed(1)} requests, ${Math.round(each(cost.bytes))} bytes, ${(1000 * each(cost.seconds)).toFixed(2)} ms of the API server`,
    ...(reference
      ? ([
          `${each(reference.milliseconds).toFixed(1)} ms on Docker`,
          (cost.milliseconds / reference.milliseconds).toFixed(2),
        ] as const)
      : []),
  );
};

const docker = await engines[0]?.open();
if (!docker) throw new Error('no Docker');

const count = 5;
async function measure(on: ContainerEngine) {
  const refs: string[] = [];
  // Fixtures are made once.
  await on.remove(await on.create(smallContainer()));
  const create = await costOf(async () => {
    for (let index = 0; index < count; index += 1) refs.push(await on.create(smallContainer()));
  });
  const [ref = ''] = refs;
  const shell = new SshShell({ engine: on });
  const claim = await costOf(async () => {
    for (const made of refs) await on.rename(made, `exam-1-user-2-${made.slice(-8)}`);
  });
  const connections: Awaited<ReturnType<SshShell['connect']>>[] = [];
  const open = await costOf(async () => {
    for (let index = 0; index < count; index += 1) connections.push(await shell.connect(ref, 'student'));
  });
  const [connection] = connections;
  if (!connection) throw new Error('no connection');
  const terminal = await connection.openTerminal({ cols: 80, rows: 24 });
  const read = async (until: RegExp): Promise<void> => {
    let text = '';
    for (;;) {
      const chunk = terminal.read() as Buffer | null;
      if (chunk === null) {
        await once(terminal, 'readable');
        continue;
      }
      text = (text + chunk.toString('latin1')).slice(-4096);
      if (until.test(text)) return;
    }
  };
  terminal.write('stty -echo; PS1=; cat\n');
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const keys = 200;
  const echo = await costOf(async () => {
    for (let index = 0; index < keys; index += 1) {
      terminal.write(`k${index}\n`);
      await read(new RegExp(`k${index}\\r?\\n`));
    }
  });
  // The end of input. An interrupt would discard the next line.
  terminal.write('\u0004');
  terminal.write("head -c 16777216 /dev/zero | tr '\\0' x; echo; echo the-end\n");
  const text = await costOf(() => read(/\nthe-end/));
  const idle = await costOf(() => new Promise((resolve) => setTimeout(resolve, 5000)));
  for (const one of connections) await one[Symbol.asyncDispose]();
  const remove = await costOf(async () => {
    for (const made of refs) await on.remove(made);
  });
  return { create, claim, open, echo, text, idle, remove, keys };
}

try {
  const reference = await measure(docker);
  const ours = await measure(engine);
  tell('create a container', count, ours.create, reference.create);
  tell('claim a warm one', count, ours.claim, reference.claim);
  tell('open a terminal', count, ours.open, reference.open);
  tell('a key and its echo', ours.keys, ours.echo, reference.echo);
  tell('a MiB of text', 16, ours.text, reference.text);
  tell(`${count} open terminals, a second of silence`, 5, ours.idle);
  tell('remove a container', count, ours.remove, reference.remove);
} finally {
  for (const one of [docker, engine]) {
    for (const { ref } of await one.list()) await one.remove(ref);
    await one[Symbol.asyncDispose]();
  }
  direct[Symbol.dispose]();
  await removeFromCluster(installation);
  proxy.close();
  await rm(folder, { recursive: true, force: true });
}
process.exit();
