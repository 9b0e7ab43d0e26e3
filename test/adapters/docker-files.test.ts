import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import Docker from 'dockerode';
import { DockerEngine, readChangedFiles } from '../../src/adapters/docker/docker-engine.ts';
import { smallContainer } from '../engines.ts';
import { runInContainer } from '../run-in-container.ts';
import { engineSkip, testEngine } from '../server.ts';

describe('the files of a container on Docker', { skip: engineSkip }, () => {
  let docker: Docker;
  let engine: DockerEngine;
  let ref: string;

  before(async () => {
    const found = await testEngine();
    if (!('options' in found)) throw new Error(found.reason);
    docker = new Docker(found.options);
    engine = new DockerEngine({ docker, installation: `test-${randomUUID()}`, callTimeout: 30_000 });
    ref = await engine.create(smallContainer());
  });
  after(async () => {
    if (ref) await engine.remove(ref);
  });

  const run = (script: string) => runInContainer(docker, ref, script, 'root');

  it('are listed by the engine up to a limit where they differ from the image', async () => {
    await run('mkdir /home/student/many; for i in $(seq 2000); do : >/home/student/many/$i; done');
    const whole = await engine.changedFiles(ref);
    const cut = await readChangedFiles(docker, ref, AbortSignal.timeout(30_000), 1024);
    assert.ok(cut.length > 0 && cut.length < whole.length, `${cut.length} of ${whole.length}`);
  });

  it('are counted on the storage as a container sees it', async () => {
    const [total = 0, free = 0] = (await run("stat -f -c '%c %d' /")).output.split(' ').map(Number);
    const inUse = await engine.filesInUse();
    if (total === 0) assert.equal(inUse, 'unlimited');
    else assert.ok(Math.abs(Number(inUse) - (total - free)) < 0.2 * (total - free), `${inUse}, not ${total - free}`);
  });
});
