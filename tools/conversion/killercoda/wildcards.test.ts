import assert from 'node:assert/strict';
import { matchesGlob } from 'node:path/posix';
import { describe, it } from 'node:test';
import { matchesPattern } from './wildcards.ts';

const patterns = [
  ...['*', '*.yaml', 'app/*', 'app/*.txt', 'app/**', '**/*.txt', 'a?p/x.txt', '[a-c]pp/*.txt', '[!a]pp/*'],
  ...['{app,lib}/*.txt', '*.{sh,yaml}', 'app/{deep/,}y.txt', 'x', '', '*/*', 'app/d*p/y.txt', '*a*p*', 'app/**/y.txt'],
];
const paths = ['run.sh', 'conf.yaml', 'app/x.txt', 'app/deep/y.txt', 'lib/x.txt', '.hidden', 'app/y.txt', 'x'];

describe('patterns of assets', () => {
  for (const pattern of patterns)
    it(`match what Node's do: ${pattern}`, () => {
      for (const path of paths) assert.equal(matchesPattern(path, pattern), matchesGlob(path, pattern), path);
    });

  it('take no longer for many wildcards', () => {
    const path = 'a'.repeat(250);
    for (const pattern of [
      `${'*a'.repeat(200)}b`,
      `${'**/'.repeat(150)}b`,
      '{a,b}'.repeat(90),
      `${'[a-z]*'.repeat(80)}0`,
    ]) {
      const begin = process.cpuUsage().user;
      assert.equal(matchesPattern(path, pattern), false, pattern);
      assert.ok(process.cpuUsage().user - begin < 2_000_000, `${pattern} took more than two seconds`);
    }
    const deep = Array(1000).fill('a').join('/');
    assert.equal(matchesPattern(deep, `${'**/a/'.repeat(90)}b`), false);
  });
});
