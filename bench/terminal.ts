/**
 * The terminal beside OpenSSH: the round trip of a key and the throughput of text, through the service's WebSocket and through
 * the `ssh` program on the same kind of stream (an exec of the same SSH server in the same container). A shell on the engine's own
 * terminal shows what of a key is the engine. They take turns; medians are compared.
 */
import { execFile, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Docker from 'dockerode';
import { WebSocket } from 'ws';
import { TestServer } from '../test/server.ts';
import { median, prepareEnvironment, report } from './environment.ts';

const run = promisify(execFile);
const rounds = { echo: 15, keys: 200, text: 9 };
const line = 'The quick brown fox jumps over the lazy dog; 0123456789 and some more to fill it';
const lines = 500_000;

type Wire = { write: (bytes: string) => void; onBytes: (bytes: Buffer) => void; end: () => void };
type Service = { url: string; containerName: string };

/** The service is a process of its own, as the `ssh` program is. */
async function serve(): Promise<void> {
  const server = await TestServer.start();
  const template = { name: 'Shell', slug: 'shell', image: 'platform-sandbox', memory_mb: 512, cpus: 2 };
  await server.application.db.insertInto('sandbox_templates').values(template).execute();
  const user = await server.user();
  const { id, name } = (await server.post('/api/containers/create', user.token, {})).body;
  const url = `${server.url.replace('http', 'ws')}/ws/terminal/${id}?token=${user.token}`;
  process.send?.({ url, containerName: server.config.engine.namePrefix + name } satisfies Service);
  await once(process, 'disconnect');
  await server.delete(`/api/containers/${id}`, user.token);
  await server[Symbol.asyncDispose]();
}

/** With the messages of the pages the shell outlives the service. A plain client's shell does not. */
async function openOurs(url: string, protocols: string[]): Promise<Wire> {
  const socket = new WebSocket(url, protocols, { perMessageDeflate: false });
  const wire: Wire = {
    write: (bytes) => socket.send(Buffer.from(bytes)),
    onBytes: () => {},
    end: () => socket.terminate(),
  };
  socket.on('message', (bytes: Buffer, isBinary) => {
    if (isBinary) wire.onBytes(bytes);
  });
  await once(socket, 'open');
  return wire;
}

/** The first two lines give the server its host key and our public one, as the service does. */
async function openSsh(containerName: string, folder: string): Promise<Wire> {
  const [host, client] = [join(folder, 'host'), join(folder, 'client')];
  for (const file of [host, client]) await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', file]);
  const publicKey = async (file: string) =>
    (await readFile(`${file}.pub`, 'utf8')).split(' ').slice(0, 2).join(' ').trim();
  await writeFile(join(folder, 'known'), `bench ${await publicKey(host)}\n`);
  await writeFile(join(folder, 'first'), `${(await readFile(host)).toString('base64')}\n${await publicKey(client)}\n`);
  const proxy = join(folder, 'proxy');
  await writeFile(
    proxy,
    `{ cat ${folder}/first; exec cat; } | exec docker exec -i -u 0:0 ${containerName} /.grader/connect\n`,
  );
  const options = [
    `ProxyCommand=sh ${proxy}`,
    `UserKnownHostsFile=${folder}/known`,
    'StrictHostKeyChecking=yes',
    'IdentitiesOnly=yes',
    'LogLevel=ERROR',
    'Ciphers=aes128-gcm@openssh.com',
    'Compression=no',
    // Newer versions of the program send keys at fixed intervals, to hide the rhythm of typing.
    'IgnoreUnknown=ObscureKeystrokeTiming',
    'ObscureKeystrokeTiming=no',
  ].flatMap((option) => ['-o', option]);
  const args = ['-tt', '-F', 'none', '-i', client, ...options, 'student@bench'];
  const ssh = spawn('ssh', args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, TERM: 'xterm-256color' },
  });
  const wire: Wire = {
    write: (bytes) => void ssh.stdin.write(bytes),
    onBytes: () => {},
    end: () => void ssh.kill(),
  };
  ssh.stdout.on('data', (bytes: Buffer) => wire.onBytes(bytes));
  return wire;
}

/** A shell of the engine, without SSH and without the service. */
async function openEngine(containerName: string): Promise<Wire> {
  const tty = { Tty: true, AttachStdin: true, AttachStdout: true, AttachStderr: true };
  const exec = await new Docker()
    .getContainer(containerName)
    .exec({ ...tty, User: 'student', Cmd: ['/bin/bash', '-l'] });
  const stream = await exec.start({ hijack: true, stdin: true, Tty: true });
  const wire: Wire = { write: (bytes) => stream.write(bytes), onBytes: () => {}, end: () => stream.destroy() };
  stream.on('data', (bytes: Buffer) => wire.onBytes(bytes));
  return wire;
}

/** Resolves when the given number of bytes, or the given text, has arrived. @throws Error when more bytes arrived */
async function receive(wire: Wire, wanted: number | string, begin: () => void = () => {}): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let [bytes, end] = [0, ''];
  wire.onBytes = (chunk) => {
    bytes += chunk.length;
    if (typeof wanted === 'string') end = (end + chunk.toString('latin1')).slice(-1000);
    if (typeof wanted === 'string' ? end.includes(wanted) : bytes >= wanted) resolve();
  };
  begin();
  await promise;
  if (typeof wanted === 'number' && bytes !== wanted) throw new Error(`${bytes} bytes came instead of ${wanted}`);
}

/** Disables prompt and echo, so that all output is the requested output. */
async function silence(wire: Wire): Promise<Wire> {
  await receive(wire, '$ ');
  const command = `bind 'set enable-bracketed-paste off'; stty -echo; PS1=; PROMPT_COMMAND=; printf 'si''lent'\n`;
  await receive(wire, 'silent', () => wire.write(command));
  return wire;
}

/** @returns milliseconds of each key's way to a program in the container and back */
async function echo(wire: Wire): Promise<number[]> {
  const command = `stty raw; printf 'g''o'; dd bs=1 count=${rounds.keys} 2>/dev/null; stty -raw -echo; printf 'do''ne'\n`;
  await receive(wire, 'go', () => wire.write(command));
  const times: number[] = [];
  for (let key = 0; key < rounds.keys; key += 1) {
    const begin = performance.now();
    await receive(wire, key + 1 < rounds.keys ? 1 : 'done', () => wire.write('x'));
    times.push(performance.now() - begin);
  }
  // The last measurement includes the end.
  return times.slice(0, -1);
}

async function bench(): Promise<void> {
  await using cleanup = new AsyncDisposableStack();
  cleanup.use(await prepareEnvironment());
  const folder = await mkdtemp(join(tmpdir(), 'bench-terminal-'));
  cleanup.defer(() => rm(folder, { recursive: true, force: true }));
  const child = fork(import.meta.filename, ['serve']);
  cleanup.defer(async () => {
    child.disconnect();
    await once(child, 'exit');
  });
  const [{ url, containerName }] = (await once(child, 'message')) as [Service];
  const wires = {
    ssh: await silence(await openSsh(containerName, folder)),
    ours: await silence(await openOurs(url, ['terminal.v1'])),
    plain: await silence(await openOurs(url, [])),
  };
  const names = ['ssh', 'ours', 'plain'] as const;
  const engine = await silence(await openEngine(containerName));
  cleanup.defer(() => {
    for (const { end } of [...Object.values(wires), engine]) end();
  });

  const milliseconds: Record<keyof typeof wires | 'engine', number[]> = { ssh: [], ours: [], plain: [], engine: [] };
  for (let round = 0; round < rounds.echo; round += 1) {
    for (const name of names) milliseconds[name].push(...(await echo(wires[name])));
    milliseconds.engine.push(...(await echo(engine)));
  }
  report(
    'echo of a key, WebSocket to OpenSSH',
    median(milliseconds.ours),
    median(milliseconds.ssh),
    'ms',
    'at most 1.6',
  );
  report(
    'echo of a key, a shell that outlives the service to one that does not',
    median(milliseconds.ours),
    median(milliseconds.plain),
    'ms',
    '',
  );

  report(
    'echo of a key, a terminal of the engine without SSH / OpenSSH',
    median(milliseconds.engine),
    median(milliseconds.ssh),
    'ms',
    '',
  );

  const write = `yes '${line}' | head -n ${lines} >/tmp/text; printf 'writ''ten'\n`;
  await receive(wires.ssh, 'written', () => wires.ssh.write(write));
  // The terminal converts each line feed to a carriage return and a line feed.
  const bytes = (line.length + 2) * lines;
  const speeds: Record<keyof typeof wires, number[]> = { ssh: [], ours: [], plain: [] };
  for (let round = 0; round < rounds.text; round += 1) {
    for (const name of names) {
      const begin = performance.now();
      await receive(wires[name], bytes, () => wires[name].write('cat /tmp/text\n'));
      speeds[name].push(bytes / 1000 / (performance.now() - begin));
    }
  }
  report('terminal text, WebSocket to OpenSSH', median(speeds.ours), median(speeds.ssh), 'MB/s', 'at least 0.9');
  const kinds = 'terminal text, a shell that outlives the service to one that does not';
  report(kinds, median(speeds.ours), median(speeds.plain), 'MB/s', '');
}

if (process.argv[2] === 'serve') await serve();
else await bench();
