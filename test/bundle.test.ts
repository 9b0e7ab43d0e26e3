import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { runInNewContext } from 'node:vm';
import { deleteOlder } from '../bundle/older-bundles.ts';
import { toAscii } from '../bundle/to-ascii.ts';
import { serviceProgram } from './service-program.ts';

const run = (code: string): unknown => runInNewContext(code);

describe('the bundle of the service', () => {
  it('consists of characters that take one byte in memory', async () => {
    const folder = dirname(serviceProgram);
    const names = await readdir(folder);
    assert.ok(names.includes('main.mjs') && names.every((name) => name.endsWith('.mjs')), names.join(' '));
    for (const name of names) assert.ok(!/[\x80-\xff]/.test(await readFile(join(folder, name), 'latin1')), name);
  });

  it('has the same strings, templates and patterns as the sources', () => {
    for (const text of ['Größe', 'Имя', '€', '😀']) {
      assert.equal(run(toAscii(`'${text}'`)), text);
      assert.equal(run(toAscii(`\`\${'${1}'}${text}\``)), `1${text}`);
      assert.equal(run(toAscii(`/^[${text}]+$/u.test('${text}')`)), true);
    }
    assert.throws(() => toAscii('String.raw`Größe`'), /Escapes would change/);
  });

  it('remains while it is one of the newest', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'bundles-'));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const name = (digit: string) => digit.repeat(16);
    const times = { [name('a')]: 1000, [name('c')]: 3000, [name('b')]: 2000, [`${name('d')}.123`]: 500, other: 100 };
    for (const [name, time] of Object.entries(times)) {
      await mkdir(join(folder, name));
      await utimes(join(folder, name), time, time);
    }
    await deleteOlder(folder, 2);
    assert.deepEqual((await readdir(folder)).sort(), [name('b'), name('c'), 'other']);
  });
});
