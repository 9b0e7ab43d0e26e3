import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';

const source = join(import.meta.dirname, '../../web/src');

it('grids of several columns have one on a phone, and none that long words make wider than its place', () => {
  const grids = globSync('**/*.tsx', { cwd: source }).flatMap((path) =>
    readFileSync(join(source, path), 'utf8')
      .split('\n')
      .filter((line) => /\b(sm|md|lg|xl):grid-cols-/.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  );
  assert.ok(grids.length > 20);
  const grow = grids.filter((grid) => !/[\s"'`]grid-cols-/.test(grid) || /[[_]1fr/.test(grid));
  assert.deepEqual(grow, []);
});
