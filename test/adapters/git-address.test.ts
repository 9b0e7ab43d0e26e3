import assert from 'node:assert/strict';
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { createLessonSource } from '../../src/adapters/git/create-lesson-source.ts';
import { MemoryLog } from './git-mirror-fixture.ts';

const secret = 's3cret-of-the-address';

const hostile = [
  '',
  '-',
  '--upload-pack=touch /tmp/x',
  '-oProxyCommand=touch',
  '--exec=sh',
  'ext::sh -c touch% /tmp/x',
  'ext::sh',
  'fd::3',
  'foo::bar',
  '::ext',
  'ssh://-oProxyCommand=touch/repository',
  'ssh://-oProxyCommand=touch%20x/x',
  'ssh://git@-oProxyCommand=touch/x',
  'ssh://-git@host.example.com/x.git',
  'ssh://%2doProxyCommand=touch/x',
  `ssh://git:${secret}@host.example.com/x.git`,
  'ssh://host.example.com:22;touch/x.git',
  'ssh://host.example.com:0/x.git',
  'ssh://host.example.com:99999/x.git',
  'ssh://host.example.com/$(touch x).git',
  'ssh://host.example.com/`touch`.git',
  "ssh://host.example.com/x';touch;'.git",
  'ssh://host.example.com|touch/x.git',
  'ssh://host.example.com',
  'ssh:///x.git',
  'SSH://host.example.com/x.git',
  'ssh+git://host.example.com/x.git',
  'git@host.example.com:--upload-pack=touch',
  'git@host.example.com:-x',
  'git@-oProxyCommand=touch:x',
  '-oProxyCommand=touch@host.example.com:x',
  'git@host.example.com:x;touch',
  'git@host.example.com:',
  'host.example.com:x.git',
  'git://host.example.com/x.git',
  'ftp://host.example.com/x.git',
  'javascript:alert(1)',
  'http://',
  'https://-host.example.com/x.git',
  `https://user:${secret}@host.example.com/`,
  `https://user:${secret}%0ahost=evil@host.example.com/x.git`,
  'https://host.example.com/x.git?upload-pack=1',
  'https://host.example.com/x.git#x',
  'file://',
  'file://relative/x.git',
  'file://evil.example.com/x.git',
  '../lessons.git',
  'lessons.git',
  'C:\\lessons.git',
  'https://host.example.com/x.git\n--upload-pack=touch',
  '/srv/lessons.git\0',
  'https://host.example.com/a b.git',
  `https://host.example.com/${'x'.repeat(3000)}`,
];

it('refuses addresses with injected options or commands before anything is run or written', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'platform-addresses-'));
  try {
    for (const program of ['git', 'ssh', 'sh']) {
      await writeFile(join(folder, program), `#!/bin/sh\necho "$@" > ${folder}/was-run\n`);
      await chmod(join(folder, program), 0o755);
    }
    const before = await readdir(folder);
    for (const url of hostile) {
      const create = () =>
        createLessonSource({
          dataDir: join(folder, 'data'),
          shippedFolder: '',
          url,
          staleSeconds: 300,
          timeoutSeconds: 5,
          maxFileBytes: 1024,
          path: folder,
          log: new MemoryLog(),
        });
      assert.throws(
        create,
        (error: Error) =>
          /address \(LESSONS_REPO_URL\) is not usable/.test(error.message) && !error.message.includes(secret),
        url,
      );
    }
    assert.deepEqual(await readdir(folder), before);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
