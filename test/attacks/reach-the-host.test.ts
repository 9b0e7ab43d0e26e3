import assert from 'node:assert/strict';
import { randomInt, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import Docker from 'dockerode';
import { EngineAddresses, internetNetwork } from '../../src/adapters/docker/confined-network.ts';
import { DockerEngine } from '../../src/adapters/docker/docker-engine.ts';
import { HostCapture } from '../host-capture.ts';
import { describeLong } from '../rounds.ts';
import { runInContainer } from '../run-in-container.ts';
import { engineSkip, testEngine } from '../server.ts';
import { until } from '../until.ts';

/** Captures the packets of a container with internet on the bridge of the engine's host. */
describeLong('a container with internet that tries to reach other networks', { skip: engineSkip }, () => {
  let docker: Docker;
  let engine: DockerEngine;
  let capture: HostCapture;
  let attack: string;
  let gateway: string;
  let targets: string[];
  /** The addresses of each interface that a container of this test has had. */
  const known = new Map<string, string>();
  const made: string[] = [];

  before(async () => {
    const found = await testEngine();
    if (!('options' in found)) throw new Error(found.reason);
    docker = new Docker(found.options);
    const internet = { dns: ['9.9.9.9'], blocked: ['203.0.113.0/24'] };
    engine = new DockerEngine({ docker, installation: `test-${randomUUID()}`, callTimeout: 60_000, internet });
    attack = await readFile(join(import.meta.dirname, 'send-everything.pl'), 'utf8');
    const other = await create();
    const { Id, IPAM } = await docker.getNetwork(internetNetwork).inspect();
    const [{ Subnet = '', Gateway = '' } = {}] = IPAM?.Config ?? [];
    gateway = Gateway;
    const broadcast = Subnet.replace(/\d+\.\d+\/16$/, '255.255');
    capture = await HostCapture.start(docker, `br-${Id.slice(0, 12)}`);
    targets = [
      ...[gateway, broadcast, other.address, ...(await new EngineAddresses(docker).get())],
      ...['169.254.169.254', '169.254.170.2', '100.100.100.200', '10.0.0.1', '172.16.0.1', '192.168.1.1', '198.18.0.1'],
      ...[
        '203.0.113.7',
        '0.0.0.0',
        '127.0.0.1',
        '127.0.0.11',
        '224.0.0.1',
        '239.255.255.250',
        '255.255.255.255',
        '240.0.0.1',
      ],
    ];
  });
  after(async () => {
    await capture?.[Symbol.asyncDispose]();
    for (const ref of made) await engine.remove(ref);
  });

  async function create(): Promise<{ ref: string; address: string }> {
    const limits = { memoryMb: 256, cpus: 1, processes: 128, diskMb: 64, hasInternet: true };
    const name = `test-${randomUUID()}`;
    const ref = await engine.create({ ...limits, name, uid: randomUUID(), image: 'platform-sandbox' });
    made.push(ref);
    return { ref, address: await addressOf(ref) };
  }

  /** A container has a new interface after each start. */
  async function addressOf(ref: string): Promise<string> {
    const { NetworkSettings } = await docker.getContainer(ref).inspect();
    const { IPAddress = '', MacAddress = '' } = NetworkSettings.Networks[internetNetwork] ?? {};
    known.set(MacAddress, IPAddress);
    return IPAddress;
  }

  const run = (ref: string, script: string, user = 'root') => runInContainer(docker, ref, script, user);
  const write = (ref: string, path: string, text: string) =>
    run(ref, `base64 -d >${path} <<<'${Buffer.from(text).toString('base64')}'; chmod 755 ${path}`);

  /** Sends with every protocol, as the student and as root. */
  async function attackFrom(ref: string): Promise<void> {
    await addressOf(ref);
    await write(ref, '/tmp/attack.pl', attack);
    for (const user of ['student', 'root']) {
      const { output } = await run(ref, `perl /tmp/attack.pl eth0 ${targets.join(' ')} 2>&1`, user);
      assert.equal(output, '', `raw sockets of ${user}`);
    }
    await run(
      ref,
      `curl -s -m 2 --interface eth0 http://${gateway}:2375/version
      ping -c 1 -W 1 -I eth0 ${gateway}; ping -c 1 -W 1 -b -I eth0 255.255.255.255; ping -6 -c 1 -W 1 -I eth0 ff02::1
      /.grader/bin/arping -c 1 -w 1 -I eth0 ${gateway}; /.grader/bin/udhcpc -i eth0 -n -q -t 1 -T 1 -s /bin/true
      ip neigh replace ${gateway} lladdr 02:00:00:00:00:01 dev eth0; ip rule add prio 1 lookup main
      unshare -rn true; /.grader/bin/ip route add 10.0.0.0/8 dev eth0; ip link add link eth0 name mac0 type macvlan`,
    );
  }

  /** What has arrived from our containers, once everything that was sent before has. */
  async function arrived(ref: string): Promise<string[]> {
    const port = randomInt(20_000, 60_000);
    // To a public address, which the capture must contain. The packet ends at the first hop.
    const last = `use Socket; socket(my $s, AF_INET, SOCK_DGRAM, 0); setsockopt($s, IPPROTO_IP, 2, 1); send($s, 'last', 0, sockaddr_in(${port}, inet_aton('198.51.100.1')))`;
    const isLast = ({ text }: { text: string }) => text.includes(`> 198.51.100.1.${port}:`);
    assert.equal((await run(ref, `perl -e "${last.replaceAll('$', '\\$')}"`, 'student')).code, 0);
    await until(() => capture.frames().some(isLast), 'the packet that may leave');
    const frames = capture.frames();
    return frames
      .filter(
        ({ from, text }) =>
          known.has(from) && !/ > 198\.51\.100\.1\.\d+: UDP/.test(text) && !isAboutGateway(from, text),
      )
      .map(({ text }) => text.replace(/^.* length \d+: /, ''));
  }

  /** ARP between a container's kernel and its next hop. */
  function isAboutGateway(from: string, text: string): boolean {
    const own = known.get(from);
    return (
      text.includes(`: Request who-has ${gateway} tell ${own},`) ||
      (text.includes(`: Reply ${own} is-at ${from},`) && !text.startsWith('> ff:ff:ff:ff:ff:ff'))
    );
  }

  it('reaches nothing by any protocol', async () => {
    const { ref } = await create();
    await attackFrom(ref);
    assert.deepEqual([...new Set(await arrived(ref))], []);
  });

  it('reaches nothing after a stop and a start', async () => {
    const { ref } = await create();
    await engine.stop(ref);
    await engine.start(ref);
    await attackFrom(ref);
    assert.deepEqual([...new Set(await arrived(ref))], []);
  });

  it('runs no own program before it is confined, even if root replaced sshd and killed the first process', async () => {
    const { ref } = await create();
    await write(ref, '/root/attack.pl', attack);
    const spy = (name: string, then: string) =>
      `#!/bin/bash\ncat /proc/net/route >/root/${name}.tmp; perl /root/attack.pl eth0 ${targets.join(' ')}; mv /root/${name}.tmp /root/${name}; ${then}\n`;
    await run(ref, 'mv /usr/local/sbin/entrypoint /usr/local/sbin/real');
    await write(ref, '/usr/local/sbin/entrypoint', spy('by-entrypoint', 'exec /usr/local/sbin/real'));
    await write(ref, '/usr/sbin/sshd.new', spy('by-sshd', 'exit'));
    await run(ref, 'mv /usr/sbin/sshd.new /usr/sbin/sshd; kill -TERM 1').catch(() => undefined);
    const container = docker.getContainer(ref);
    await until(async () => !(await container.inspect()).State.Running, 'the end of the container');
    // The container runs and is not confined yet. At that moment one client connects and another counts files.
    await container.start();
    await addressOf(ref);
    const stream = await engine.openSshStream(ref);
    stream.on('error', () => {}).resume();
    stream.write(`${Buffer.from('key').toString('base64')}\nssh-ed25519 AAAA\n`);
    const seen = async () =>
      (await run(ref, 'cat /root/by-*.tmp /root/by-sshd /root/by-entrypoint 2>/dev/null')).output;
    // The program of the exec waits, or its command has already run.
    await until(async () => {
      const { Processes } = await container.top();
      return (
        Processes.some((process: string[]) => process.join(' ').includes('/.grader/connect')) || (await seen()) !== ''
      );
    }, 'the connection');
    assert.equal(await seen(), '', 'what has run before the network was confined');
    await engine.start(ref);
    for (const name of ['by-entrypoint', 'by-sshd']) {
      await until(async () => (await run(ref, `test -e /root/${name}`)).code === 0, name);
      const { output } = await run(ref, `cat /root/${name}`);
      assert.match(output, /^\*\s+0000FEA9/m, `${name}: the network was confined`);
    }
    stream.destroy();
    assert.deepEqual([...new Set(await arrived(ref))], []);
  });

  it('has a first process that is linked statically, and no check of its image', async () => {
    const { ref } = await create();
    const { output } = await run(
      ref,
      'for file in /sbin/docker-init /dev/init /.grader/bin/bash; do [ -e $file ] && LC_ALL=C ldd $file; done 2>&1',
    );
    for (const line of output.trim().split('\n')) assert.match(line, /not a dynamic executable|statically linked/);
    assert.deepEqual((await docker.getContainer(ref).inspect()).Config.Healthcheck?.Test, ['NONE']);
  });
});
