import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { retiredVariables } from './config/retired.ts';

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

it('names no variable that is no setting any more', async () => {
  const root = join(import.meta.dirname, '..');
  const places = 'README.md,compose.yaml,Dockerfile,{docs,deploy,bench,images,src,web/src}/**/*.{md,ts,tsx,yaml,env}';
  const paths = globSync(`{${places}}`, { cwd: root }).filter(
    (path) => !/src\/config\/retired\.ts$|\.test\.ts$/.test(path),
  );
  assert.ok(paths.length > 500);
  const word = new RegExp(`\\b(${retiredVariables.join('|')})\\b`, 'g');
  const named = await Promise.all(
    paths.map(async (path) =>
      ((await readFile(join(root, path), 'utf8')).match(word) ?? []).map((name) => `${path}: ${name}`),
    ),
  );
  assert.deepEqual(named.flat(), []);
});
