import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { deferredModules } from './deferred-modules.ts';

const sources = join(import.meta.dirname, '..');

it('defers no module that the service imports itself, which would get the stand-in', async () => {
  const deferred = deferredModules.map(({ id }) => id).filter((id) => !id.startsWith('.'));
  assert.ok(deferred.includes('glob'));
  const files = (await readdir(sources, { recursive: true })).filter((name) => /(?<!\.test)\.ts$/.test(name));
  for (const name of files) {
    const text = await readFile(join(sources, name), 'utf8');
    for (const id of deferred)
      assert.ok(!text.includes(`from '${id}'`) && !text.includes(`import('${id}')`), `${name} imports ${id}`);
  }
});
