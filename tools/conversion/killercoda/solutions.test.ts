import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { proposedSolution } from './solutions.ts';

const linesOf = (...commands: string[]) => proposedSolution(commands, ['a.md'])?.split('\n').slice(4, -2);

describe('a solution that is proposed', () => {
  it('has the commands of a session without its prompts and outputs', () => {
    assert.deepEqual(linesOf('$ ls /srv\nfiles\n$ id\n', 'pwd\n'), ['ls /srv', 'id', 'pwd']);
  });

  it('leaves out what needs a person, but no line of a file that it writes', () => {
    const text =
      "sudo vim /etc/hosts\ntail -f log\ncat >run <<'END'\nexit 3\nEND\njournalctl -u nginx\nviewer x\nyes\n Y \nyes | head -n 1\n";
    assert.deepEqual(linesOf(text), [
      '# Left out, as it needs a person: sudo vim /etc/hosts',
      '# Left out, as it needs a person: tail -f log',
      ...["cat >run <<'END'", 'exit 3', 'END', 'journalctl -u nginx', 'viewer x'],
      ...['yes', 'Y'].map((word) => `# Left out, as it is an answer and no command: ${word}`),
      'yes | head -n 1',
    ]);
    assert.equal(proposedSolution(['vim x\n', '\n'], ['a.md']), undefined);
  });

  it('runs all of its commands, ends well, and can leave them in the history', () => {
    const home = mkdtempSync(join(tmpdir(), 'solution-'));
    try {
      const script = proposedSolution(['false\necho done >here\nid -u\n'], ['a.md'], { hasHistory: true }) ?? '';
      const env = { PATH: '/usr/bin:/bin', HOME: home };
      assert.equal(spawnSync('bash', ['-c', script], { env, timeout: 60_000 }).status, 0);
      assert.equal(readFileSync(join(home, 'here'), 'utf8'), 'done\n');
      assert.match(readFileSync(join(home, '.bash_history'), 'utf8'), /^id -u$/m);
    } finally {
      rmSync(home, { recursive: true });
    }
  });
});
