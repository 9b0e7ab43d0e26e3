import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';

const sources = join(import.meta.dirname, '..');

it('defers no module that the service imports itself, which would get the stand-in', async () => {
  const list = await readFile(join(import.meta.dirname, 'deferred-modules.ts'), 'utf8');
  const deferred = [...list.matchAll(/deferModule\('[^']+', '([^'.][^']*)'/g)].map(([, id]) => id);
  assert.ok(deferred.includes('glob'));
  const files = (await readdir(sources, { recursive: true })).filter((name) => /(?<!\.test)\.ts$/.test(name));
  for (const name of files) {
    const text = await readFile(join(sources, name), 'utf8');
    for (const id of deferred)
      assert.ok(!text.includes(`from '${id}'`) && !text.includes(`import('${id}')`), `${name} imports ${id}`);
  }
});
