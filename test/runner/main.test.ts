import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { hasOnlyLongTests } from './long-files.ts';

it('a folder without tests is reported, and nothing else is run in its place', () => {
  const folder = mkdtempSync(join(tmpdir(), 'no-tests-'));
  try {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts'), folder], {
      encoding: 'utf8',
    });
    assert.deepEqual([status, stdout, stderr], [1, '', `There are no tests in ${folder}\n`]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('a file has only long tests where nothing else stands outside of suites', () => {
  assert.ok(hasOnlyLongTests("import { describeLong } from './rounds.ts';\ndescribeLong('', () => {\n  it();\n});"));
  assert.ok(!hasOnlyLongTests("import { itLong } from './rounds.ts';\ndescribe('', () => {\n  itLong();\n});"));
  assert.ok(!hasOnlyLongTests("describe('', () => {\n  it();\n});"));
  const rounds = "import { describeLong } from './rounds.ts';\n";
  assert.ok(hasOnlyLongTests(`${rounds}for (const one of all) {\n  describeLong('', () => {\n    it();\n  });\n}`));
  assert.ok(!hasOnlyLongTests(`${rounds}for (const one of all)\n  (one ? describeLong : describe)('', () => {});`));
  assert.ok(!hasOnlyLongTests(`${rounds}describeLong('', () => {\n});\nfor (const one of all)\n  it();`));
});
