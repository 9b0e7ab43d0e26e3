import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { it } from 'node:test';
import Docker from 'dockerode';
import { declaredBy } from '../../images/definitions.ts';
import { SshShell } from '../../packages/ssh/ssh-shell.ts';
import { containerOptions } from '../../src/adapters/docker/container-options.ts';
import { DockerEngine } from '../../src/adapters/docker/docker-engine.ts';
import { ensureGraderVolume, graderImage } from '../../src/adapters/docker/grader-volume.ts';
import { smallContainer } from '../engines.ts';
import { engineSkip, testEngine } from '../server.ts';

/** What an older `/.grader/run` promises: the mark after the output, and the ending on standard error. */
const olderRun = `IFS= read -r mark
script=$(/.grader/bin/busybox base64 -d)
PATH=/.grader/bin:/usr/bin:/bin /.grader/bin/bash -c "$script" </dev/null 2>/dev/null
printf '%s\\n' "$mark"
echo end >&2`;

it('runs scripts in a container that was created before it had a runner', { skip: engineSkip }, async () => {
  await using cleanup = new AsyncDisposableStack();
  const found = await testEngine();
  assert.ok('options' in found);
  const docker = new Docker(found.options);
  const current = await ensureGraderVolume(docker);
  const volume = `test-${randomUUID()}`;
  await docker.createVolume({ Name: volume });
  cleanup.defer(() => docker.getVolume(volume).remove({ force: true }));
  const fill = `cp -a /.grader/. /volume && chmod u+w /volume /volume/bin && rm -f /volume/bin/checks && echo ${Buffer.from(olderRun).toString('base64')} |
    base64 -d >/volume/new && chmod 444 /volume/new && mv -f /volume/new /volume/run`;
  const filler = await docker.createContainer({
    Image: graderImage,
    Cmd: ['/.grader/bin/busybox', 'sh', '-c', `PATH=/.grader/bin; ${fill}`],
    HostConfig: { NetworkMode: 'none', Binds: [`${current}:/.grader:ro,nocopy`, `${volume}:/volume`] },
  });
  await filler.start();
  const { StatusCode: code } = (await filler.wait()) as { StatusCode: number };
  await filler.remove({ force: true });
  assert.equal(code, 0);

  const spec = smallContainer();
  const options = containerOptions(spec, declaredBy(spec.image), {
    ...{ installation: spec.name, graderVolume: volume, canLimitDisk: false },
    internet: { network: 'none', dns: [] },
  });
  const container = await docker.createContainer(options);
  cleanup.defer(() => container.remove({ force: true, v: true }));
  await container.start();
  const engine = cleanup.use(new DockerEngine({ docker, installation: spec.name, callTimeout: 30_000 }));
  await using connection = await new SshShell({ engine }).connect(container.id, 'grader');
  const limits = { seconds: 10, outputBytes: 4096 };
  for (const [script, output] of [
    ['echo first; echo PASS', 'first\nPASS\n'],
    ['echo FAIL', 'FAIL\n'],
  ] as const)
    assert.deepEqual(await connection.runScript(script, limits), { output, isTruncated: false, ending: 'exit' });
});
