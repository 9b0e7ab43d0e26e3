import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { commandsOf } from '../../web/src/markdown/commands.ts';
import { referenceOf } from '../../web/src/markdown/parsing/references.ts';

describe('the commands of a block of code', () => {
  const cases: [name: string, language: string, code: string, expected: string | undefined][] = [
    ['a script as it is', 'bash', '# a comment\nls\n', '# a comment\nls'],
    ['the commands of a transcript', 'console', '$ cd /tmp\n$ ls\nfile\n', 'cd /tmp\nls'],
    ['commands after a whole prompt', 'console', 'student@sandbox:~$ pwd\n/home/student', 'pwd'],
    ['those of the administrator', 'console', '# id -u\n0', 'id -u'],
    ['no line of a file that looks like a prompt', 'console', '$ cat fstab\n# a table', 'cat fstab'],
    ['lines that continue a command', 'console', "$ cat <<'END'\n> one\n> END\none", "cat <<'END'\none\nEND"],
    ['lines after a backslash', 'console', '$ echo one \\\n  two\none two', 'echo one \\\n  two'],
    ['no output that looks like a continuation', 'console', '$ diff a b\n1a2\n> two', 'diff a b'],
    ['nothing of a transcript without a prompt', 'console', 'one\ntwo', undefined],
    ['nothing of other languages', 'yaml', 'name: web', undefined],
    ['nothing where nothing is said', '', 'ls', undefined],
  ];
  for (const [name, language, code, expected] of cases) {
    it(name, () => assert.equal(commandsOf(code, language), expected));
  }
});

describe('the target of a link in a lesson', () => {
  const source = { lessonId: 1, path: 'linux/first/files.md' };
  const cases: [url: string, expected: ReturnType<typeof referenceOf>][] = [
    ['#errors', { kind: 'inside', fragment: 'errors' }],
    ['https://example.com/#a', { kind: 'outside', url: 'https://example.com/#a' }],
    ['//example.com/x', { kind: 'outside', url: '//example.com/x' }],
    ['next.md#top', { kind: 'file', path: 'linux/first/next.md', relative: 'next.md', fragment: 'top' }],
    ['../a%20b.png', { kind: 'file', path: 'linux/a b.png', relative: '../a b.png', fragment: '' }],
    ['/shared/logo.svg', { kind: 'file', path: 'shared/logo.svg', relative: '/shared/logo.svg', fragment: '' }],
    ['50%.txt', { kind: 'file', path: 'linux/first/50%.txt', relative: '50%.txt', fragment: '' }],
  ];
  for (const [url, expected] of cases) it(url, () => assert.deepEqual(referenceOf(url, source), expected));
});
