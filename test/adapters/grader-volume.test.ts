import assert from 'node:assert/strict';

import Docker from 'dockerode';
import { ensureGraderVolume, graderImage } from '../../src/adapters/docker/grader-volume.ts';
import { itLong } from '../rounds.ts';
import { engineSkip, testEngine } from '../server.ts';

// Long: each way to spoil the volume is followed by the same check.
itLong('completes an empty or partial volume of tools', { skip: engineSkip }, async () => {
  const engine = await testEngine();
  assert.ok('options' in engine);
  const docker = new Docker(engine.options);
  const labels = { 'platform.test': `${process.pid}-${Date.now()}` };
  const source = await docker.createContainer({ Image: graderImage, Labels: labels });
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => source.remove({ force: true }));
  // The same tools, another version.
  const { Id: image } = (await source.commit({ pause: false })) as { Id: string };
  cleanup.defer(async () => void (await docker.getImage(image).remove({ force: true })));
  const name = `platform-grader-${image.replace(/^sha256:/, '').slice(0, 12)}`;
  const [volume, whole] = [docker.getVolume(name), docker.getVolume(`${name}-whole`)];
  cleanup.defer(() => volume.remove({ force: true }));
  cleanup.defer(() => whole.remove({ force: true }));

  const run = async (command: string): Promise<number> => {
    const container = await docker.createContainer({
      Image: image,
      Cmd: ['/.grader/bin/busybox', 'sh', '-c', command.replaceAll('$b', '/.grader/bin/busybox')],
      HostConfig: { NetworkMode: 'none', Binds: [`${name}:/volume`] },
    });
    try {
      await container.start();
      return (await container.wait()).StatusCode;
    } finally {
      await container.remove({ force: true });
    }
  };
  const list = '$b find . | $b sort | while read -r path; do $b stat -c "%n %F %a" "$path"; done';
  const sums = '$b find . -type f -exec $b md5sum {} + | $b sort';
  const isWhole = async () => {
    const seen = (folder: string) => `$(cd ${folder}; ${sums}; ${list} | $b tail -n +2)`;
    return (await run(`[ "${seen('/.grader')}" = "${seen('/volume')}" ]`)) === 0;
  };

  await docker.createVolume({ Name: name });
  assert.equal(await isWhole(), false);
  assert.equal(await ensureGraderVolume(docker, image), name);
  assert.ok(await isWhole());

  await whole.remove({ force: true });
  await run('$b rm /volume/connect && $b truncate -s 100 /volume/bin/bash');
  assert.equal(await isWhole(), false);
  // As by several services that start at the same time.
  await Promise.all(Array.from({ length: 4 }, () => ensureGraderVolume(docker, image)));
  assert.ok(await isWhole());
});
