import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { setUpScript } from './set-up-script.ts';

describe('set-up scripts of Killercoda', () => {
  it('run one after another, each to its own end, and succeed together', () => {
    const script = setUpScript([
      { path: 'background.sh', script: '#!/bin/bash\necho first; set -e; false; echo never' },
      { path: 'foreground.sh', script: "cat <<'END'\nsecond\nEND\n\nexit 3\n\n" },
    ]);
    const { status, stdout } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
    assert.deepEqual([status, stdout], [0, 'first\nsecond\n']);
  });
});
