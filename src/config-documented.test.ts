import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { it } from 'node:test';

it('lists every variable of the configuration in the README', async () => {
  const folder = new URL('config/', import.meta.url);
  const sources = await Promise.all((await readdir(folder)).map((file) => readFile(new URL(file, folder), 'utf8')));
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const table = readme.slice(readme.indexOf('## Configuration'));
  const names = [...sources.join('\n').matchAll(/env\.\w+\('([A-Z0-9_]+)'/g)].map(([, name]) => name ?? '');
  assert.ok(names.length > 40);
  // Where the user's sockets are: the system's own variable, not ours.
  const missing = names.filter((name) => name !== 'XDG_RUNTIME_DIR' && !table.includes(`\`${name}\``));
  assert.deepEqual(missing, []);
});
