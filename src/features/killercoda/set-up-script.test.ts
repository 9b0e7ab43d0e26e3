import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setUpScript } from './set-up-script.ts';

describe('set-up scripts of Killercoda', () => {
  it('run one after another in the home folder, each to its own end, and succeed together', () => {
    const home = mkdtempSync(join(tmpdir(), 'home-'));
    try {
      const script = setUpScript(
        [
          { path: 'background.sh', script: '#!/bin/bash\necho first; set -e; false; echo never' },
          { path: 'foreground.sh', script: "cat <<'END'\nsecond\nEND\n\ntouch ~/a; ls; exit 3\n\n" },
        ],
        'student',
        home,
      );
      const { status, stdout } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
      assert.deepEqual([status, stdout], [0, 'first\nsecond\na\n']);
    } finally {
      rmSync(home, { recursive: true });
    }
  });
});
