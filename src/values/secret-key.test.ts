import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { readOrCreateSecretKey } from './secret-key.ts';

describe('the key that signs tokens', () => {
  let folder: string;
  beforeEach(async () => {
    folder = join(await mkdtemp(join(tmpdir(), 'secret-key-')), 'data');
  });
  afterEach(() => rm(join(folder, '..'), { recursive: true }));

  it('is created once, readable only by its owner, and kept', async () => {
    const key = await readOrCreateSecretKey(folder);
    assert.ok(Buffer.byteLength(key) >= 32);
    assert.deepEqual(await readdir(folder), ['secret-key']);
    assert.equal((await stat(join(folder, 'secret-key'))).mode & 0o777, 0o600);
    assert.equal(await readOrCreateSecretKey(folder), key);
  });

  it('is different in another folder', async () => {
    assert.notEqual(await readOrCreateSecretKey(folder), await readOrCreateSecretKey(join(folder, 'other')));
  });

  it('is the same for processes that start together', async () => {
    const keys = await Promise.all(Array.from({ length: 20 }, () => readOrCreateSecretKey(folder)));
    assert.equal(new Set(keys).size, 1);
    assert.deepEqual(await readdir(folder), ['secret-key']);
  });

  it('is not read from a truncated file', async () => {
    await readOrCreateSecretKey(folder);
    await writeFile(join(folder, 'secret-key'), 'short\n');
    await assert.rejects(readOrCreateSecretKey(folder), /secret-key has fewer than 32 bytes/);
  });
});
