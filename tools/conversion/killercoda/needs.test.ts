import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { packagesOf } from '../../../images/definitions.ts';
import { knownPackages, missingPowers, missingPrograms, packagesOfImages } from './needs.ts';

/** Essential in the base image, or a part of another package of it. */
const withTheBase = ['openssl'];

describe('programs that an image lacks', () => {
  for (const [image, listed] of packagesOfImages) {
    it(`are known of ${image} as its list of packages has them`, () => {
      const packages = [...packagesOf('base'), ...packagesOf(image.replace('platform-', '')), ...withTheBase];
      assert.deepEqual([...listed].sort(), packages.filter((name) => knownPackages.has(name)).sort());
    });
  }

  const basics = 'registry.example.com/platform-exam-linux-basics:2';
  const calls: [script: string, missing: string[]][] = [
    ['nmap -p 22 localhost', ['nmap']],
    ['if ! sudo tcpdump -c 1; then exit 1; fi', ['tcpdump', 'sudo']],
    ['count=$(sqlite3 a.db "select 1")', ['sqlite3']],
    ['cat list | socat - TCP:localhost:80 && make', ['socat', 'make']],
    ['command -v gdb', ['gdb']],
    ['if true; then sudo socat -V; fi', ['socat', 'sudo']],
    ['# nmap\nlook at this\necho make sure; jq . a.json | tree', []],
    ['./nmap; /opt/make; at_work=1; screen_size=2', []],
  ];
  for (const [script, missing] of calls) {
    it(`in ${JSON.stringify(script)}: ${missing.join(', ') || 'none'}`, () => {
      const found = missingPrograms(script, basics).map((message) => /`(.*?)`/.exec(message)?.[1]);
      assert.deepEqual(found.sort(), missing.sort());
    });
  }

  it('are unknown of the images of others', () => {
    assert.deepEqual(missingPrograms('nmap', 'registry.example.com/other'), []);
    assert.deepEqual(missingPrograms('nmap; at now', 'platform-exam-linux-services'), []);
  });
});

describe('what a script needs beyond a laboratory', () => {
  for (const [script, found] of [
    ['apt-get -y install nginx', /`apt-get -y install`.*no internet/],
    ['cd /x && mount -o loop a b', /`mount`/],
    ['curl -sO https://example.com/x', /`curl`/],
  ] as const)
    it(script, () => assert.match(missingPowers(script).join(), found));

  it('is nothing in a comment, and nothing for its own addresses', () => {
    assert.deepEqual(missingPowers('# apt-get install x\ncurl http://localhost:80/a\necho amount x\n'), []);
  });
});
