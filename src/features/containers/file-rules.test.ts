import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultOwner, pathProblem } from './file-rules.ts';

test('a file has an absolute path without steps back, and is not among those of the kernel and the grader', () => {
  for (const path of ['/etc/motd', '/home/student/.ssh/config', '/srv/ü b', '/devices/x', "/opt/it's"])
    assert.equal(pathProblem(path), undefined, path);
  for (const path of ['', 'etc/motd', '/', '//etc', '/etc/', '/etc/../x', '/./x', '/a\0', '/a\nb', '/a\\b', '/\ud800'])
    assert.notEqual(pathProblem(path), undefined, JSON.stringify(path));
  for (const path of [
    '/.grader/run',
    '/proc/1/x',
    '/sys/x',
    '/dev/null',
    '/dev',
    `/${'a'.repeat(256)}`,
    '/abc'.repeat(300),
  ])
    assert.notEqual(pathProblem(path), undefined, path);
});

test('a file in the home folder is the student’s unless it names another owner', () => {
  assert.equal(defaultOwner('/home/student/a'), 'student');
  assert.equal(defaultOwner('/home/studentess'), 'root');
});
