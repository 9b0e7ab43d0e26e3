import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { checkScript, interpreterOf, setUpScript } from './scripts.ts';

const cases: [name: string, script: string, output: string][] = [
  ['status 0', 'true', 'PASS\n'],
  ['status 1', 'false', 'FAIL\n'],
  ['exit 0 before a failure', 'exit 0\nfalse', 'PASS\n'],
  ['another status, after the word PASS', 'echo PASS\nexit 7\n', 'PASS\nFAIL\n'],
  ['the word FAIL without an end of line', 'printf FAIL', 'FAIL\nPASS\n'],
  ['set -e', '#!/bin/bash\nset -e\nfalse\ntrue\n', 'FAIL\n'],
  ['options in the first line', '#!/bin/bash -e\nfalse\ntrue\n', 'FAIL\n'],
  ['the death of its shell', 'kill -9 $$', 'FAIL\n'],
  ['a mistake of syntax', 'if', 'FAIL\n'],
  [
    'sh',
    '#!/bin/sh\n[ -z "$BASH_VERSION$(echo)" ] || [ -n "$POSIXLY_CORRECT" ] || set -o | grep -q "posix.*on"\n',
    'PASS\n',
  ],
  ['env and bash', '#!/usr/bin/env bash\n[[ -n $BASH_VERSION ]]', 'PASS\n'],
  ['an interpreter of its own', '#!/usr/bin/awk -f\nBEGIN { print "x"; exit 3 }', 'x\nFAIL\n'],
  ['an interpreter that is not there', '#!/no/such/program\n', 'FAIL\n'],
  ['a line that ends our own text', "cat <<'END_OF_CHECK'\nmine\nEND_OF_CHECK\n", 'mine\nPASS\n'],
  ['no input', 'read -r line', 'FAIL\n'],
  ['a process that prints later', '(sleep 0.2; echo later) &\nexit 0', 'PASS\n'],
];

suite('a check that wraps one of Killercoda', () => {
  for (const [name, script, output] of cases) {
    test(name, () => {
      const room = mkdtempSync(join(tmpdir(), 'check-'));
      try {
        const env = { PATH: process.env['PATH'] ?? '', TMPDIR: room };
        const run = spawnSync('bash', ['-c', checkScript(script, 'root', room)], {
          env,
          encoding: 'utf8',
          timeout: 20_000,
        });
        assert.equal(run.stdout, output, run.stderr);
        assert.deepEqual(readdirSync(room), [], 'it leaves nothing behind');
      } finally {
        rmSync(room, { recursive: true });
      }
    });
  }

  test('the interpreter is that of the first line; shells are those of the grader', () => {
    assert.deepEqual(interpreterOf('echo'), { words: ['bash'], isShell: true });
    assert.deepEqual(interpreterOf('#! /bin/sh -e\n'), { words: ['sh', '-e'], isShell: true });
    assert.deepEqual(interpreterOf('#!/usr/bin/env python3\n'), { words: ['/usr/bin/env', 'python3'], isShell: false });
  });
});

suite('set-up scripts of Killercoda', () => {
  test('run one after another in the home folder, each to its own end, and succeed together', () => {
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
      const { status, stdout } = spawnSync('bash', ['-c', script], { encoding: 'utf8', timeout: 20_000 });
      assert.deepEqual([status, stdout], [0, 'first\nsecond\na\n']);
    } finally {
      rmSync(home, { recursive: true });
    }
  });
});
