import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';

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
