import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setUpEngine } from './engine-setup.ts';
import { findEngine } from './find-engine.ts';
import type { Machine } from './machine.ts';
import { setUpPrograms } from './packages.ts';

const docker20 = { Version: '20.10.24', ApiVersion: '1.41', Components: [{ Name: 'Engine' }] };
const podman = { Version: '5.4.0', ApiVersion: '1.41', Components: [{ Name: 'Podman Engine' }] };

let folder: string;
let servers: Server[];
let socket: string;

async function makeFolder(): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'engine-setup-'));
  socket = join(folder, 'docker.sock');
  servers = [];
}

async function removeFolder(): Promise<void> {
  for (const server of servers) server.close();
  await rm(folder, { recursive: true, force: true });
}

/** A fake engine that answers version requests. */
async function answer(path: string, version: object): Promise<void> {
  const server = createHttpServer((request, response) => {
    response.writeHead(request.url === '/version' ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(version));
  });
  server.listen(path);
  servers.push(server);
  await once(server, 'listening');
}

describe('findEngine', () => {
  beforeEach(makeFolder);
  afterEach(removeFolder);

  it('selects the first engine that answers, and distinguishes Docker from Podman', async () => {
    await answer(join(folder, 'podman.sock'), podman);
    const systemSockets = [socket, join(folder, 'podman.sock')];
    const first = await findEngine({ systemSockets });
    assert.ok('options' in first);
    assert.equal(first.description, `Podman 5.4.0 at unix://${folder}/podman.sock`);

    await answer(socket, docker20);
    const second = await findEngine({ systemSockets });
    assert.ok('options' in second);
    assert.equal(second.description, `Docker Engine 20.10.24 at unix://${socket}`);
    assert.deepEqual(second.options, { socketPath: socket });
  });

  it('tries only the engine in DOCKER_HOST, including over TCP', async () => {
    await answer(socket, docker20);
    const tcp = createHttpServer((_request, response) => response.end(JSON.stringify(docker20)));
    servers.push(tcp.listen(0, '127.0.0.1'));
    await once(tcp, 'listening');
    const address = tcp.address();
    assert.ok(address !== null && typeof address === 'object');
    const found = await findEngine({ dockerHost: `tcp://127.0.0.1:${address.port}`, systemSockets: [socket] });
    assert.ok('options' in found);
    assert.match(found.description, /at tcp:/);
    const missing = await findEngine({ dockerHost: `unix://${folder}/none.sock`, systemSockets: [socket] });
    assert.ok('reason' in missing);
  });

  it('reports why each candidate is unusable: silent, dead, too old, not an address', async () => {
    const silent = createServer().listen(socket);
    servers.push(silent);
    await once(silent, 'listening');
    const reasonOf = async (search: Parameters<typeof findEngine>[0]) => {
      const found = await findEngine({ patience: 150, systemSockets: [], ...search });
      return 'reason' in found ? found.reason : 'found';
    };
    assert.match(await reasonOf({ systemSockets: [socket] }), /docker\.sock: it does not answer$/);
    assert.match(await reasonOf({ systemSockets: [join(folder, 'none')] }), /^no container engine was found$/);
    await writeFile(join(folder, 'plain'), '');
    assert.match(await reasonOf({ systemSockets: [join(folder, 'plain')] }), /nothing listens/);
    await answer(join(folder, 'old.sock'), { ...docker20, Version: '1.13', ApiVersion: '1.25' });
    assert.match(await reasonOf({ systemSockets: [join(folder, 'old.sock')] }), /1\.13 is too old/);
    assert.match(await reasonOf({ dockerHost: 'ssh://host' }), /DOCKER_HOST takes/);
    assert.match(await reasonOf({ dockerHost: 'tcp://127.0.0.1:1' }), /nothing listens/);
  });
});

describe('setUpEngine', () => {
  beforeEach(makeFolder);
  afterEach(removeFolder);

  /** A machine with scripted programs. Tests check the order in which they ran. */
  class ScriptedMachine implements Machine {
    readonly isRoot: boolean = true;
    readonly platform: string = 'linux';
    readonly ran: string[] = [];
    readonly files = new Map([
      ['/etc/os-release', 'ID=debian\n'],
      ['/usr/bin/apt-get', ''],
    ]);
    lists = ['deb_dists_bookworm_main_binary-amd64_Packages'];
    outcomes: Record<string, () => Promise<number> | number> = {};
    hasDaemonEnded = false;

    constructor(options: { isRoot?: boolean } = {}) {
      this.isRoot = options.isRoot ?? true;
    }
    async run(program: string, args: string[]) {
      const line = [program, ...args].join(' ');
      this.ran.push(line);
      const key = Object.keys(this.outcomes).find((start) => line.startsWith(start));
      return { code: key === undefined ? 0 : ((await this.outcomes[key]?.()) ?? 0), output: `${program} said this` };
    }
    async startDaemon(program: string, args: string[], logPath: string) {
      this.files.set(logPath, 'failed to start: no cgroups\n');
      await this.run(program, args);
      return { pid: 4711, hasEnded: () => this.hasDaemonEnded };
    }
    exists = async (path: string) => this.files.has(path);
    list = async () => this.lists;
    read = async (path: string) => this.files.get(path) ?? '';
  }

  const lines: string[] = [];
  const setUp = (machine: Machine, options: { install?: boolean; dockerHost?: string } = {}) => {
    lines.length = 0;
    const progress = (line: string) => void lines.push(line);
    return setUpEngine({
      install: true,
      progress,
      dataDir: folder,
      machine,
      systemSockets: [socket],
      patience: 200,
      startTimeout: 400,
      ...options,
    });
  };
  const installs = (machine: ScriptedMachine) => {
    machine.files.set('/usr/sbin/dockerd', '');
    machine.files.set('/etc/init.d/docker', '');
    return 0;
  };
  const commands = (machine: ScriptedMachine) => machine.ran.map((line) => line.split(' ').slice(0, 2).join(' '));

  it('does nothing where an engine answers', async () => {
    await answer(socket, docker20);
    const machine = new ScriptedMachine();
    const engine = await setUp(machine);
    assert.ok('options' in engine);
    assert.deepEqual([engine.startedPid, machine.ran, lines], [undefined, [], []]);
  });

  it('announces, installs and starts Docker Engine on a bare Debian', async () => {
    const machine = new ScriptedMachine();
    machine.lists = [];
    machine.outcomes = {
      'apt-get install': () => installs(machine),
      'service docker start': async () => {
        machine.files.set('/var/run/docker.pid', '1234\n');
        await answer(socket, docker20);
        return 0;
      },
    };
    const engine = await setUp(machine);
    assert.ok('options' in engine);
    assert.equal(engine.startedPid, 1234);
    assert.deepEqual(commands(machine), ['apt-get update', 'apt-get install', 'service docker']);
    assert.match(machine.ran[1] ?? '', / -y --no-install-recommends .*docker\.io mmdebstrap$/);
    assert.match(lines[0] ?? '', /installing Docker Engine.*--no-install/);
  });

  it('updates the package lists if they refer to missing files', async () => {
    const machine = new ScriptedMachine();
    let attempts = 0;
    machine.outcomes = {
      'apt-get install': () => {
        attempts += 1;
        return attempts === 1 ? 100 : installs(machine);
      },
      service: async () => {
        await answer(socket, docker20);
        return 0;
      },
    };
    assert.ok('options' in (await setUp(machine)));
    assert.deepEqual(commands(machine), ['apt-get install', 'apt-get update', 'apt-get install', 'service docker']);
  });

  it('starts the engine with systemd if it runs, otherwise dockerd directly', async () => {
    const machine = new ScriptedMachine();
    installs(machine);
    machine.files.set('/run/systemd/system', '');
    machine.outcomes = {
      systemctl: () => 1,
      dockerd: async () => {
        await answer(socket, docker20);
        return 0;
      },
    };
    const engine = await setUp(machine, { install: false });
    assert.ok('options' in engine);
    assert.equal(engine.startedPid, 4711);
    assert.deepEqual(commands(machine), ['systemctl start', 'dockerd']);
  });

  it('reports the last output of an engine that fails to start', async () => {
    const machine = new ScriptedMachine();
    installs(machine);
    machine.files.delete('/etc/init.d/docker');
    machine.hasDaemonEnded = true;
    const engine = await setUp(machine);
    assert.ok('reason' in engine);
    assert.match(engine.reason, /was started and ended: failed to start: no cgroups/);
  });

  it('installs nothing with --no-install, without root, on another system, or with DOCKER_HOST', async () => {
    const reasonOf = async (machine: ScriptedMachine, options = {}) => {
      const engine = await setUp(machine, options);
      assert.deepEqual(machine.ran, []);
      return 'reason' in engine ? engine.reason : 'found';
    };
    assert.match(await reasonOf(new ScriptedMachine(), { install: false }), /--no-install/);
    assert.match(await reasonOf(new ScriptedMachine({ isRoot: false })), /install one as root/);
    const running = new ScriptedMachine({ isRoot: false });
    installs(running);
    assert.match(await reasonOf(running), /systemctl start docker/);
    const fedora = new ScriptedMachine();
    fedora.files.set('/etc/os-release', 'ID=fedora\n');
    assert.match(await reasonOf(fedora), /only on Debian and Ubuntu: install Docker/);
    assert.match(await reasonOf(new ScriptedMachine(), { dockerHost: `unix://${folder}/none` }), /DOCKER_HOST is set/);
  });

  it('installs missing programs, and reports them if it may not install', async () => {
    const programs = { git: 'git', ssh: 'openssh-client' };
    const progress = (line: string) => void lines.push(line);
    const machine = new ScriptedMachine();
    machine.outcomes = { 'sh -c command -v "$0" ssh': () => 1 };
    assert.equal(await setUpPrograms({ programs, install: true, progress, machine }), undefined);
    assert.match(machine.ran.at(-1) ?? '', /^apt-get install .* openssh-client$/);
    assert.match(lines.at(-1) ?? '', /ssh missing: installing/);
    const forbidden = await setUpPrograms({ programs, install: false, progress, machine });
    assert.match(forbidden ?? '', /ssh missing \(apt-get install openssh-client\): .*--no-install/);
  });

  it('reports a failed installation with the output of apt-get', async () => {
    const machine = new ScriptedMachine();
    machine.outcomes = { 'apt-get install': () => 100 };
    const engine = await setUp(machine);
    assert.ok('reason' in engine);
    assert.match(engine.reason, /could not be installed.*apt-get said this/s);
  });
});
