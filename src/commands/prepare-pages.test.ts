import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { preparePages } from './prepare-pages.ts';

const stampModule = new URL('../../web/stamp.ts', import.meta.url).href;
/** Stands in for the launcher: builds nothing, and records that it ran. */
const builds = `
  import { appendFileSync, writeFileSync } from 'node:fs';
  import { pagesStamp } from ${JSON.stringify(stampModule)};
  appendFileSync('builds', process.argv.slice(2).join(' ') + '\\n');
  writeFileSync('web/dist/.stamp', pagesStamp(process.cwd()));`;

describe('preparing the pages', () => {
  let root: string;

  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'prepare-pages-'));
    await mkdir(join(root, 'web/dist'), { recursive: true });
    await writeFile(join(root, 'package-lock.json'), '{}');
    await writeFile(join(root, 'launch.mjs'), builds);
  });
  after(() => rm(root, { recursive: true, force: true }));

  const prepare = () => preparePages(() => {}, undefined, root);
  const countBuilds = async () => (await readFile(join(root, 'builds'), 'utf8').catch(() => '')).split('\n').length - 1;

  it('builds nothing without sources', async () => {
    await prepare();
    assert.equal(await countBuilds(), 0);
  });

  it('builds once for each state of the sources', async () => {
    await writeFile(join(root, 'web/index.html'), '<p>One');
    await prepare();
    await prepare();
    assert.equal(await countBuilds(), 1);
    await writeFile(join(root, 'web/index.html'), '<p>Two');
    await prepare();
    await prepare();
    assert.equal(await countBuilds(), 2);
    assert.match(await readFile(join(root, 'builds'), 'utf8'), /^--tools web\/build\.ts$/m);
  });

  it('ignores build output among the sources', async () => {
    const before = await countBuilds();
    await writeFile(join(root, 'web/dist/index.html'), '<p>Three');
    await prepare();
    assert.equal(await countBuilds(), before);
  });

  it('fails if the build fails', async () => {
    await writeFile(join(root, 'web/index.html'), '<p>Four');
    await writeFile(join(root, 'launch.mjs'), 'process.exit(1)');
    await assert.rejects(prepare(), /NOT built/);
  });
});
