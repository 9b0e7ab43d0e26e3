import assert from 'node:assert/strict';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { retiredVariables } from './config/retired.ts';
import { allSettings } from './config.ts';

const root = join(import.meta.dirname, '..');
const settings = allSettings();
const names = settings.map(({ name }) => name);

/** The headings of docs/configuration.md. */
const parts = [
  ...['Server', 'Data', 'Accounts', 'Mail', 'Courses and lessons', 'Teaching'],
  ...['Container engine', 'Kubernetes', 'Containers', 'Terminals'],
];

it('docs/configuration.md lists every setting; WRITE_DOCUMENTS=true makes it from their declarations', () => {
  assert.deepEqual([...new Set(settings.map(({ part }) => part))].sort(), parts.toSorted());
  const path = join(root, 'docs/configuration.md');
  const text = readFileSync(path, 'utf8');
  const made = text.slice(0, text.indexOf('\n## ')) + parts.map(tableOf).join('');
  if (process.env['WRITE_DOCUMENTS'] === 'true') writeFileSync(path, made);
  else assert.equal(text, made);
});

it('there are at most 79 settings, and ten of them in the README', () => {
  assert.ok(names.length <= 79, `${names.length} settings: what no operator turns belongs into src/config/tuning.ts`);
  assert.equal(new Set(names).size, names.length);
  const [, table = ''] = /^## Configuration\n([\s\S]*?)^## /m.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? [];
  const shown = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name = '']) => name);
  assert.equal(shown.length, 10);
  assert.deepEqual(
    shown.filter((name) => !names.includes(name)),
    [],
  );
});

it('no text names a variable that is no setting any more', () => {
  assert.deepEqual(
    names.filter((name) => retiredVariables.includes(name)),
    [],
  );
  const places = '{docs,deploy,bench,images,src,web/src}/**/*.{md,ts,tsx,yaml,env}';
  const paths = globSync(`{README.md,compose.yaml,Dockerfile,${places}}`, { cwd: root }).filter(
    (path) => !/src\/config\/retired\.ts$|\.test\.ts$/.test(path),
  );
  assert.ok(paths.length > 500);
  const word = new RegExp(`\\b(${retiredVariables.join('|')})\\b`, 'g');
  const named = paths.flatMap((path) =>
    (readFileSync(join(root, path), 'utf8').match(word) ?? []).map((name) => `${path}: ${name}`),
  );
  assert.deepEqual(named, []);
});

function tableOf(heading: string): string {
  const rows = settings
    .filter(({ part }) => part === heading)
    .map(({ name, usually, takes, about }) => {
      const values = takes.replace(/a whole number from (\S+)$/, '$1 or more').replace('a whole number from ', '');
      return `| \`${name}\` | ${usually} | ${values} | ${about} |\n`;
    });
  return `\n## ${heading}\n\n| variable | default | takes | |\n|---|---|---|---|\n${rows.join('')}`;
}
