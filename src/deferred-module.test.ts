import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { deferModule } from './deferred-module.ts';

const require = createRequire(import.meta.url);

it('loads a deferred module at the first call of what the package has taken from it', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'deferred-'));
  t.after(() => rm(folder, { recursive: true }));
  const path = join(folder, 'package.cjs');
  await writeFile(
    join(folder, 'part.cjs'),
    `globalThis.deferredLoads = (globalThis.deferredLoads ?? 0) + 1;
    class Part { constructor(name) { this.name = name; } }
    module.exports = { Part, isPart: (value) => value instanceof Part, add: (a, b) => a + b, value: 3 };`,
  );
  await writeFile(
    path,
    `const { Part, isPart, add } = require('./part.cjs');
    const part = require('./part.cjs');
    module.exports = { make: (name) => new Part(name), isPart, add, value: () => part.value };`,
  );
  const loads = () => (globalThis as { deferredLoads?: number }).deferredLoads ?? 0;
  deferModule(path, './part.cjs', ['Part', 'isPart', 'add']);
  const { make, isPart, add, value } = require(path);
  assert.equal(loads(), 0);
  assert.equal(add(1, 2), 3);
  assert.equal(loads(), 1);
  const made = make('one');
  assert.deepEqual([made.name, isPart(made), isPart({}), value()], ['one', true, false, 3]);
  assert.equal(loads(), 1);
});
