import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { SshShell } from '../../packages/ssh/ssh-shell.ts';
import { UnavailableError } from '../../src/errors.ts';
import { type ContainerEngine, ImagePullError, type PullOptions } from '../../src/ports/container-engine.ts';
import type { ImageProblem } from '../../src/values/image-problems.ts';
import { type EngineUnderTest, smallContainer } from '../engines.ts';
import { ImageRegistry } from '../image-registry.ts';
import { image } from '../made-assessment.ts';
import { itLong } from '../rounds.ts';

/** The contract of images of registries: the same cases for every engine, with a real registry. */
export function testImageSource({ name, registrySkip, open }: EngineUnderTest): void {
  describe(`images of registries on ${name}`, { skip: registrySkip, timeout: 600_000 }, () => {
    const pinned = new Map<string, string>();
    let registry: ImageRegistry;
    let engine: ContainerEngine;
    before(async () => {
      registry = await ImageRegistry.start();
      engine = await open(pinned);
      await registry.push('bare:1', 'platform-grader');
    });
    after(async () => {
      await engine?.[Symbol.asyncDispose]();
      await registry?.[Symbol.asyncDispose]();
    });

    const images = () => engine.images ?? assert.fail('the engine pulls no images');
    const pull = (reference: string, options: Partial<PullOptions> = {}) =>
      images().pull(reference, {
        ...{ credential: registry.credential, signal: AbortSignal.timeout(300_000) },
        ...{ onFound: async () => {}, onProgress: () => {}, ...options },
      });
    const refuses = async (reference: string, problem: ImageProblem, options: Partial<PullOptions> = {}) =>
      await assert.rejects(
        pull(reference, options),
        (error) => error instanceof ImagePullError && error.problem === problem,
        problem,
      );

    it('are examined for what they lack, and removed', async () => {
      const found: string[] = [];
      const percents: number[] = [];
      const { imageId, digest, lacks } = await pull(registry.reference('bare:1'), {
        onFound: async (id) => void found.push(id),
        onProgress: (percent) => percents.push(percent),
      });
      assert.deepEqual(lacks, ['sshd', 'bash', 'student', 'grader']);
      assert.match(digest ?? '', /^sha256:[0-9a-f]{64}$/);
      assert.deepEqual(found, [imageId]);
      assert.ok(percents.every((percent) => percent >= 0 && percent <= 100));
      assert.equal(engine.problem(), undefined);
      assert.deepEqual(await engine.list(), [], 'an examination is no container');
      for (const _again of [1, 2]) assert.equal(await images().remove(imageId, registry.reference('bare:1')), true);
    });

    it('are refused with the reason', async () => {
      const reference = registry.reference('bare:1');
      await refuses(reference, 'registry_denied', { credential: { username: 'school', password: 'wrong' } });
      await refuses(reference, 'registry_denied', { credential: undefined });
      await refuses(registry.reference('absent:1'), 'reference_unknown');
      await refuses(registry.reference('bare:2'), 'reference_unknown');
      await refuses('127.0.0.1:9/school/net:1', 'registry_unreachable');
      const stopped = AbortSignal.abort(new Error('the service stops'));
      await assert.rejects(pull(reference, { signal: stopped }), /the service stops/);
    });

    // Long: pushes an image of 300 MB, except where nothing else pulls one.
    const itWhole = name === 'Kubernetes' ? it : itLong;
    itWhole('are what containers are created from, whatever their tag names by then', async () => {
      const reference = registry.reference('net:1');
      const mark = randomUUID();
      // Nothing is in the image's layers on any machine that has the parent: this one is different each time.
      const labels = 'LABEL platform.capabilities=SYS_ADMIN,NET_ADMIN platform.privileges=sudo';
      await registry.push('net:1', image, [`LABEL mark=${mark}`, labels]);
      const { imageId, lacks } = await pull(reference);
      assert.deepEqual(lacks, []);
      pinned.set(reference, imageId);
      await registry.push('net:1', 'platform-grader');
      assert.equal(await engine.imageId(reference), imageId);
      assert.equal(await engine.grantsRoot(reference), true);
      assert.equal(await engine.grantsRoot(imageId), true);

      const ref = await engine.create({ ...smallContainer(reference), imageId });
      const shell = new SshShell({ engine });
      const run = async (script: string) => {
        await using connection = await shell.connect(ref, 'grader');
        return (await connection.runScript(script, { seconds: 20, outputBytes: 4096 })).output;
      };
      const bound = BigInt(`0x${(await run("sed -n 's/CapBnd:\\t//p' /proc/self/status")).trim()}`);
      // CAP_NET_ADMIN, CAP_SYS_ADMIN
      for (const capability of [12n, 21n]) assert.equal((bound >> capability) & 1n, 0n);
      await run('echo kept >/home/student/kept');
      await engine.stop(ref);
      await engine.start(ref);
      assert.equal(await run('cat /home/student/kept; id -u student'), 'kept\n1000\n');
      await engine.remove(ref);

      assert.equal(await images().remove(imageId, reference), true);
      const isMissing = (error: unknown) => error instanceof UnavailableError && error.code === 'image_missing';
      await assert.rejects(engine.create({ ...smallContainer(reference), imageId }), isMissing);
      assert.equal(engine.problem(), undefined);
    });
  });
}
