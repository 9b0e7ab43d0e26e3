import assert from 'node:assert/strict';
import { chmod, chown, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { lockDataFolder } from '../../../packages/embedded-postgres/service-lock.ts';
import { readOrCreateSecretKey } from '../../values/secret-key.ts';
import { ObjectFolder } from './object-folder.ts';
import { makePrivate } from './private-file.ts';

const key = 'a'.repeat(40);
const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);

describe('the files of the service', () => {
  let root: string;
  let dataDir: string;
  let umask: number;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'private-'));
    dataDir = join(root, 'data');
    umask = process.umask(0);
  });
  afterEach(async () => {
    process.umask(umask);
    await rm(root, { recursive: true, force: true });
  });

  it('are private, even with an umask of 0', async () => {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await readOrCreateSecretKey(dataDir);
    const objects = new ObjectFolder(dataDir);
    await objects.put(`avatars/${key}.webp`, Buffer.from('x'), { maxBytes: 1 });
    await (await objects.begin(`recordings/${key}.cast`)).close();
    lockDataFolder(dataDir)[Symbol.dispose]();
    const modes = [
      '',
      'secret-key',
      'service.lock',
      'avatars',
      `avatars/${key}.webp`,
      'recordings',
      `recordings/${key}.cast`,
    ];
    assert.deepEqual(await Promise.all(modes.map((path) => modeOf(join(dataDir, path)))), [
      '700',
      '600',
      '600',
      '700',
      '600',
      '700',
      '600',
    ]);
    assert.deepEqual(await makePrivate(dataDir), []);
  });

  it('become private if they were accessible to others, and the change is reported', async () => {
    await mkdir(join(dataDir, 'avatars'), { recursive: true, mode: 0o755 });
    await writeFile(join(dataDir, 'secret-key'), 'k'.repeat(40), { mode: 0o644 });
    await mkdir(join(dataDir, 'postgres'), { mode: 0o750 });
    await writeFile(join(root, 'elsewhere'), '', { mode: 0o644 });
    await symlink(join(root, 'elsewhere'), join(dataDir, 'link'));
    await chmod(dataDir, 0o777);
    const lines = await makePrivate(dataDir);
    assert.deepEqual(lines.map((line) => line.replace(dataDir, '.')).sort(), [
      '. was accessible to other users (mode 777): access removed',
      './avatars was accessible to other users (mode 755): access removed',
      './secret-key was accessible to other users (mode 644): access removed',
    ]);
    const paths = [
      dataDir,
      join(dataDir, 'avatars'),
      join(dataDir, 'secret-key'),
      join(dataDir, 'postgres'),
      join(root, 'elsewhere'),
    ];
    assert.deepEqual(await Promise.all(paths.map(modeOf)), ['700', '700', '600', '750', '644']);
    assert.deepEqual(await makePrivate(dataDir), []);
  });

  it('allow the group to pass, which PostgreSQL needs under another user', async () => {
    await mkdir(dataDir, { mode: 0o710 });
    assert.deepEqual(await makePrivate(dataDir), []);
    assert.equal(await modeOf(dataDir), '710');
  });

  it('are reported if they belong to another user', {
    skip: process.getuid?.() !== 0 && 'giving away takes root',
  }, async () => {
    await mkdir(dataDir, { mode: 0o755 });
    await chmod(root, 0o755);
    await chown(dataDir, 12_345, 12_345);
    process.seteuid?.(12_346);
    try {
      const [line] = await makePrivate(dataDir);
      assert.match(line ?? '', /IS ACCESSIBLE TO OTHER USERS \(mode 755\) and belongs to another user/);
    } finally {
      process.seteuid?.(0);
    }
  });
});
