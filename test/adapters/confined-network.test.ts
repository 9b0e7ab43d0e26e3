import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { after, before, describe, it } from 'node:test';
import Docker from 'dockerode';
import { ensureInternetNetwork } from '../../src/adapters/docker/confined-network.ts';
import { DockerEngine } from '../../src/adapters/docker/docker-engine.ts';
import { runInContainer } from '../run-in-container.ts';
import { engineSkip, testEngine } from '../server.ts';

describe('the network of containers with internet', { skip: engineSkip }, () => {
  let docker: Docker;
  let engine: DockerEngine;
  let ref: string;
  let server: Server;
  const made: string[] = [];
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const addresses = own.filter(({ family, internal }) => family === 'IPv4' && !internal).map(({ address }) => address);

  before(async () => {
    const found = await testEngine();
    if (!('options' in found)) throw new Error(found.reason);
    docker = new Docker(found.options);
    const internet = { dns: ['9.9.9.9', '10.99.0.53'], blocked: [...addresses, '203.0.113.0/24'] };
    engine = new DockerEngine({ docker, installation: `test-${randomUUID()}`, callTimeout: 30_000, internet });
    ref = await create();
    // It stands for the API and all else that listens on this machine.
    server = createServer((_request, response) => response.end('reached')).listen(0, '0.0.0.0');
    await once(server, 'listening');
  });
  after(async () => {
    server?.close();
    for (const container of made) await engine.remove(container);
  });

  async function create(): Promise<string> {
    const limits = { memoryMb: 256, cpus: 1, processes: 128, diskMb: 64, hasInternet: true };
    const name = `test-${randomUUID()}`;
    const created = await engine.create({ ...limits, name, uid: randomUUID(), image: 'platform-sandbox' });
    made.push(created);
    return created;
  }
  const run = (script: string, user = 'root') => runInContainer(docker, ref, script, user);
  const addressOf = async (container: string): Promise<string> =>
    Object.values((await docker.getContainer(container).inspect()).NetworkSettings.Networks)[0]?.IPAddress ?? '';

  it('is made once by services that start at the same time', async (t) => {
    const name = `test-${randomUUID()}`;
    const named = () => docker.listNetworks({ filters: { name: [name] } });
    t.after(async () => {
      for (const { Id } of await named()) await docker.getNetwork(Id).remove();
    });
    await Promise.all(Array.from({ length: 4 }, () => ensureInternetNetwork(docker, name)));
    assert.equal((await named()).length, 1);
  });

  async function isConfined(): Promise<void> {
    const port = (server.address() as AddressInfo).port;
    const { IPAM } = await docker.getNetwork('platform-internet').inspect();
    const gateways = (IPAM?.Config ?? []).flatMap(({ Gateway }) => Gateway ?? []);
    assert.ok(gateways.length > 0 && addresses.length > 0);
    const metadata = ['169.254.169.254', '169.254.170.2', '[fd00:ec2::254]', '100.100.100.200'];
    const others = ['10.0.0.1', '192.168.1.1', '172.16.0.1', '203.0.113.7', await addressOf(await create())];
    for (const target of [...gateways, ...addresses, ...metadata, ...others]) {
      // 7: refused immediately, because there is no route. 28 would be a timeout, which a firewall can cause.
      const { code, output } = await run(`curl -s -m 5 http://${target}:${port}/; exit $?`, 'student');
      assert.deepEqual([target, code, output], [target, 7, '']);
    }
    assert.equal((await run(`ping -c 1 -W 1 ${gateways[0]}`)).code !== 0, true);
    assert.equal((await run('cat /proc/net/if_inet6 | grep -v " lo$"')).output, '', 'no IPv6');
  }

  it('reaches only the internet', async () => {
    await isConfined();
    for (const target of ['198.51.100.1', '8.8.8.8', '10.99.0.53']) {
      const { output, code } = await run(`/.grader/bin/ip route get ${target}`);
      assert.deepEqual([code, /^\S+ via \S+ dev eth0/.test(output)], [0, true], output);
    }
    assert.match((await run('cat /etc/resolv.conf')).output, /nameserver/);
  });

  it('cannot be changed from inside, even by root', async () => {
    for (const change of ['ip route flush all', 'ip link set eth0 down', 'ip addr add 10.1.1.1/8 dev eth0']) {
      assert.notEqual((await run(change)).code, 0, change);
    }
    assert.notEqual((await run('/.grader/bin/ip route del prohibit 169.254.0.0/16')).code, 0);
  });

  it('is confined at each start before any program in the container runs', async () => {
    // A start-up script left by root tests for a route to the outside and stores the result.
    const spy = `#!/bin/bash\ncat /proc/net/route >/home/student/routes\n`;
    await run(`mv /usr/local/sbin/entrypoint /usr/local/sbin/real; printf '${spy}exec /usr/local/sbin/real\\n' \\
      >/usr/local/sbin/entrypoint; chmod 755 /usr/local/sbin/entrypoint`);
    await engine.stop(ref);
    await engine.start(ref);
    const { output } = await run('until [ -s /home/student/routes ]; do sleep 0.05; done; cat /home/student/routes');
    assert.match(output, /0000FEA9/, 'the network was confined when the first program began');
    assert.equal([...output.matchAll(/^eth0\s+\S+\s+00000000/gm)].length, 0, 'no way to the link');
    await engine.start(ref);
    await isConfined();
  });
});
