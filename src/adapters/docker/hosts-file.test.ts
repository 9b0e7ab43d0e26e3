import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isAsGiven } from './hosts-file.ts';

const docker = `127.0.0.1	localhost
::1	localhost ip6-localhost ip6-loopback
fe00::0	ip6-localnet
ff00::0	ip6-mcastprefix
ff02::1	ip6-allnodes
ff02::2	ip6-allrouters
127.0.1.1	sandbox
`;
const podman = `127.0.0.1 localhost localhost.localdomain
::1 localhost localhost.localdomain
127.0.1.1	sandbox
10.88.0.1	host.containers.internal host.docker.internal
10.88.0.7	sandbox exam-1
`;
const own = { names: ['sandbox', 'exam-1'], addresses: ['10.88.0.7'] };

it('distinguishes names written by engines from names added by others', () => {
  for (const text of [docker, podman, `# of the engine\n\n${docker}`]) assert.equal(isAsGiven(text, own), true, text);
  const changed = [
    '',
    docker.replace('127.0.0.1', '10.0.0.9'),
    docker.replace('localhost\n', 'elsewhere\n'),
    `${docker}127.0.0.1 example.com\n`,
    `${docker}10.0.0.9 localhost\n`,
    `${docker}10.0.0.9 sandbox\n`,
    `${docker}${'#'.repeat(70_000)}\n`,
  ];
  for (const text of changed) assert.equal(isAsGiven(text, own), false, text.slice(0, 400));
});
