import assert from 'node:assert/strict';
import { it } from 'node:test';
import { checkBranch, parseRepositoryAddress } from './repository-address.ts';

it('accepts common addresses', () => {
  for (const url of [
    'git@git.example.com:school/lessons.git',
    'git@[::1]:lessons.git',
    'org-1234@ssh.example.com:v3/school/lessons',
    'ssh://git@git.example.com/school/lessons.git',
    'ssh://git.example.com:2222/~school/lessons.git',
    'ssh://git@[2001:db8::1]:22/lessons.git',
    'ssh://git@192.0.2.1/srv/lessons.git',
    'https://git.example.com/school/lessons.git',
    'https://git.example.com:8443/lessons',
    'http://localhost:3000/lessons.git',
    'file:///srv/lessons.git',
    '/srv/lessons.git',
    '/srv/of the school/lessons.git',
  ]) {
    assert.deepEqual(parseRepositoryAddress(url), { url, isSsh: /^(ssh:|[^/]*@)/.test(url) }, url);
  }
});

it('removes credentials from an address', () => {
  assert.deepEqual(parseRepositoryAddress('https://school:s3cret%40x@git.example.com:8443/lessons.git'), {
    url: 'https://git.example.com:8443/lessons.git',
    isSsh: false,
    credentials: { scope: 'https://git.example.com:8443', username: 'school', password: 's3cret@x' },
  });
});

it("validates a branch's name", () => {
  for (const name of ['main', 'release/2026', 'größe', 'a.b', 'a-b', 'x@y']) assert.equal(checkBranch(name), name);
  const wrong = [
    '',
    '-x',
    '--all',
    'a b',
    'a..b',
    'a:b',
    '+main:x',
    'a^',
    'a~1',
    'a?',
    'a*',
    'a[',
    'a\\b',
    '@',
    '@{1}',
    'a/',
    '/a',
    'a//b',
    'a.lock',
    '.a',
    'a/.b',
    'a.',
    'a\nb',
  ];
  for (const name of wrong)
    assert.throws(() => checkBranch(name), { name: 'UnusableAddressError', code: 'branch_invalid' }, name);
});
