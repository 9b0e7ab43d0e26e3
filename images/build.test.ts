import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { before, suite, test } from 'node:test';
import { ensureImages, imageNames, missingImages } from './build.ts';
import { definitionHash } from './definitions.ts';
import { docker, noEngine } from './test-container.ts';

const quiet = () => {};

suite('image builder', { skip: noEngine }, () => {
  before(async () => {
    await ensureImages({ docker, progress: quiet, install: true });
  });

  test('all images are there, with their definition, below 400 MB', async () => {
    assert.deepEqual(await missingImages(docker), []);
    for (const name of imageNames) {
      const { Size: size, Config: config } = await docker.getImage(`${name}:latest`).inspect();
      assert.ok(size < 400e6, `${name} has ${size} bytes`);
      assert.equal(config.Labels['platform.image'], name);
      assert.equal(config.Labels['platform.definition'], definitionHash(name));
      assert.match(config.Labels['platform.privileges'] ?? '', /^(none|sudo)$/);
    }
  });

  test('what is there is not built again', async () => {
    const lines: string[] = [];
    const { built, present } = await ensureImages({ docker, progress: (line) => lines.push(line) });
    assert.deepEqual([built, present, lines], [[], [...imageNames], []]);
  });

  test('an unknown name is refused', async () => {
    await assert.rejects(
      ensureImages({ docker, progress: quiet, names: ['platform-nothing'] }),
      /no such image: platform-nothing \(there are platform-grader,/,
    );
  });

  test('a build that fails tells its last output and leaves nothing', async () => {
    const before = await docker.getImage('platform-sandbox:latest').inspect();
    const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('platform-image'));
    const others = folders();
    // the grader's image has no shell to run a step with
    const build = { docker, progress: quiet, force: true, names: ['platform-sandbox'], base: 'platform-grader:latest' };
    await assert.rejects(ensureImages(build), /building platform-sandbox failed:[\s\S]*Step 5[\s\S]*\/bin\/sh/);
    assert.equal((await docker.getImage('platform-sandbox:latest').inspect()).Id, before.Id);
    const images = await docker.listImages({ all: true });
    assert.deepEqual(
      images.flatMap(({ RepoTags }) => RepoTags ?? []).filter((tag) => tag.includes(':building-')),
      [],
    );
    assert.deepEqual(
      folders().filter((name) => !others.includes(name)),
      [],
    );
  });
});
