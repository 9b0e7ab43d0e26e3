import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { appendFile, mkdir, mkdtemp, readdir, rename, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createLessonSource, type LessonSourceOptions } from '../../src/adapters/git/create-lesson-source.ts';
import { NotFoundError, UnavailableError } from '../../src/errors.ts';
import type { LessonVersion } from '../../src/features/lesson-repositories/lesson-source.ts';
import { LocalRepository } from '../git-repository.ts';
import { itLong } from '../rounds.ts';
import { MemoryLog, readersOf, until } from './git-mirror-fixture.ts';

describe('a mirror of lessons', () => {
  let folder: string;
  let count = 0;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'platform-mirror-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  function source(url: string | undefined, options: Partial<LessonSourceOptions> = {}) {
    count += 1;
    const dataDir = join(folder, String(count));
    const log = new MemoryLog();
    const settings = {
      dataDir,
      url,
      shippedFolder: '',
      staleSeconds: 3600,
      timeoutSeconds: 20,
      maxFileBytes: 8 * 1024 * 1024,
      log,
    };
    return { lessons: createLessonSource({ ...settings, ...options }), log, dataDir: options.dataDir ?? dataDir };
  }
  const read = async (version: LessonVersion, path: string) => (await version.read(path)).bytes.toString();
  const isMissing = (error: unknown) => error instanceof NotFoundError && error.message === 'Lesson file not found';
  const isUnavailable = (error: unknown) => error instanceof UnavailableError;

  /** The folder of the one mirror below a data folder. */
  async function mirrorIn(dataDir: string): Promise<string> {
    const names = (await readdir(join(dataDir, 'lessons'))).filter((name) => name.endsWith('.git'));
    assert.equal(names.length, 1);
    return join(dataDir, 'lessons', names[0] ?? '');
  }

  // Long: one repository with every kind of entry, and the list of names that are none.
  it('reads only files of the repository', async () => {
    await using repository = await LocalRepository.create();
    const big = randomBytes(5 * 1024 * 1024);
    const tooBig = Buffer.alloc(8 * 1024 * 1024 + 1, 'x');
    const nfc = 'gr\u00f6\u00dfe.md';
    const nfd = 'gro\u0308\u00dfe.md';
    await repository.commit({
      'README.md': '# Readme',
      'a/b/c/deep.md': 'deep',
      'a/empty.md': '',
      'a/日本 語.md': 'こんにちは',
      [nfc]: 'composed',
      [nfd]: 'decomposed',
      'only-composed/\u00e9.md': 'é',
      'big.bin': big,
      'limit.bin': tooBig.subarray(1),
      'too-big.bin': tooBig,
      'huge.bin': Buffer.alloc(20 * 1024 * 1024, 'x'),
      'link.md': { link: 'README.md' },
      'outside.md': { link: '/etc/passwd' },
      'folder-link': { link: 'a' },
      submodule: { submodule: 'a'.repeat(40) },
    });
    await using lessons = source(repository.path).lessons;
    const version = await lessons.open();
    assert.equal(await read(version, 'README.md'), '# Readme');
    assert.equal(await read(version, 'a/b/c/deep.md'), 'deep');
    assert.equal(await read(version, 'a/empty.md'), '');
    assert.equal(await read(version, 'a/日本 語.md'), 'こんにちは');
    assert.equal(await read(version, nfc), 'composed');
    assert.equal(await read(version, nfd), 'decomposed');
    assert.ok((await version.read('big.bin')).bytes.equals(big));
    assert.equal((await version.read('limit.bin')).bytes.length, 8 * 1024 * 1024);
    for (const path of ['too-big.bin', 'huge.bin']) {
      await assert.rejects(version.read(path), { name: 'NotFoundError', message: 'Lesson file is too large' });
    }
    const hostile = [
      'missing.md', 'a', 'a/b', 'a/', '/README.md', '//README.md', '/etc/passwd', '..', '../README.md', '../../../../etc/passwd', 'a/../README.md',
      'a/b/../../README.md', './README.md', 'a//empty.md', 'a\\empty.md', '..\\README.md', 'README.md/', 'README.md/x', 'README.md\0', 'README.md\n',
      'README.md\nHEAD', 'HEAD', 'HEAD:README.md', ':README.md', '', '.', ' README.md', 'readme.md', 'link.md', 'outside.md', 'folder-link/empty.md',
      'folder-link', 'submodule', 'submodule/x', '.git/config', 'config', 'only-composed/e\u0301.md', '%2e%2e/README.md', '\ud800.md', 'x'.repeat(5000),
      '/proc/self/environ', 'a/./b/c/deep.md', 'a/b/c/deep.md/', 'a/b/c/deep.md\r\n', '--version', '-', '@{upstream}:README.md', 'HEAD~1:README.md', 'main:README.md',
      'README.md missing', '~/.ssh/id_ed25519', 'file:///etc/passwd', '..%2fREADME.md', 'a%2fempty.md', '\ufeffREADME.md', '\u202eREADME.md', '．．/README.md',
      '0'.repeat(40), '$HOME', '$(id)',
    ]; // biome-ignore format: a list
    assert.ok(hostile.length >= 50, `${hostile.length}`);
    for (const path of hostile) {
      await assert.rejects(version.read(path), isMissing, JSON.stringify(path));
      await assert.rejects(version.identify(path), isMissing, JSON.stringify(path));
      assert.deepEqual(await version.missing([path]), [path], JSON.stringify(path));
    }
    // After all of that the reading process is still in step.
    assert.equal(await read(version, 'README.md'), '# Readme');
  });

  it('assigns the same id to the same bytes', async () => {
    await using repository = await LocalRepository.create();
    await repository.commit({ 'a.md': 'same', 'b.md': 'same', 'c.md': 'other' });
    await using lessons = source(repository.path).lessons;
    const version = await lessons.open();
    const missing = await version.missing(['a.md', 'no.md', 'a.md', 'b.md', 'a.md/x', 'c.md']);
    assert.deepEqual(missing.toSorted(), ['a.md/x', 'no.md']);
    assert.equal(await version.identify('a.md'), (await version.read('b.md')).id);
    assert.notEqual(await version.identify('a.md'), await version.identify('c.md'));
  });

  it('swaps whole versions: a request sees one version', async () => {
    await using repository = await LocalRepository.create();
    const first = await repository.commit({ 'a.md': 'one', 'b.md': 'one' });
    await using lessons = source(repository.path).lessons;
    const old = await lessons.open();
    assert.equal(await read(old, 'a.md'), 'one');
    assert.deepEqual(await lessons.refresh(), { commit: first, changed: false });
    const second = await repository.commit({ 'a.md': 'two', 'b.md': 'two' });
    assert.equal((await lessons.open()).commit, first);
    assert.deepEqual(await lessons.refresh(), { commit: second, changed: true });
    assert.equal(await read(old, 'b.md'), 'one');
    assert.equal(await read(await lessons.open(), 'b.md'), 'two');
  });

  it('updates in the background when it is stale', async () => {
    await using repository = await LocalRepository.create();
    const first = await repository.commit({ 'a.md': 'one' });
    await using lessons = source(repository.path, { staleSeconds: 0 }).lessons;
    // Each read begins an update, so that of the first read may already bring the second commit.
    assert.equal((await lessons.open()).commit, first);
    const second = await repository.commit({ 'a.md': 'two' });
    await until(async () => (await lessons.open()).commit === second);
  });

  it('includes every earlier push in a refresh, even during an update', async () => {
    await using repository = await LocalRepository.create();
    await repository.commit({ 'a.md': '0' });
    await using lessons = source(repository.path, { staleSeconds: 0 }).lessons;
    for (let round = 1; round <= 10; round += 1) {
      await lessons.open();
      const commit = await repository.commit({ 'a.md': String(round) });
      await lessons.open();
      const answers = await Promise.all([lessons.refresh(), lessons.refresh()]);
      assert.deepEqual(
        answers.map((answer) => answer.commit),
        [commit, commit],
      );
    }
  });

  it('has no files in an empty repository until a push', async () => {
    await using repository = await LocalRepository.create();
    for (const branch of [undefined, 'main']) {
      const { lessons } = source(repository.path, { branch });
      await using _ = lessons;
      const version = await lessons.open();
      assert.equal(version.commit, null);
      await assert.rejects(version.read('a.md'), isMissing);
      assert.deepEqual(await lessons.refresh(), { commit: null, changed: false });
    }
    const { lessons } = source(repository.path);
    await using _ = lessons;
    await lessons.open();
    const commit = await repository.commit({ 'a.md': 'first' });
    assert.deepEqual(await lessons.refresh(), { commit, changed: true });
    assert.equal(await read(await lessons.open(), 'a.md'), 'first');
    await repository.git(['update-ref', '-d', 'refs/heads/main']);
    await assert.rejects(lessons.refresh(), /lost all its branches/);
    assert.equal(await read(await lessons.open(), 'a.md'), 'first');
  });

  it("follows the remote's HEAD by default, and is unavailable for a missing branch", async () => {
    await using repository = await LocalRepository.create();
    await repository.commit({ 'a.md': 'main' });
    const other = await repository.commit({ 'a.md': 'other' }, { branch: 'other', isNewHistory: true });
    await using lessons = source(repository.path).lessons;
    assert.equal(await read(await lessons.open(), 'a.md'), 'main');
    await repository.git(['symbolic-ref', 'HEAD', 'refs/heads/other']);
    assert.deepEqual(await lessons.refresh(), { commit: other, changed: true });
    const { lessons: none, log } = source(repository.path, { branch: 'none' });
    await using _ = none;
    await assert.rejects(none.open(), isUnavailable);
    assert.equal(log.warnings[0]?.['reason'], 'the branch does not exist');
  });

  it('shares its folder with other processes', async () => {
    await using repository = await LocalRepository.create();
    await repository.commit({ 'a.md': 'one' });
    const dataDir = join(folder, 'shared');
    await using stack = new AsyncDisposableStack();
    const sources = Array.from({ length: 4 }, () => stack.use(source(repository.path, { dataDir }).lessons));
    // All clone concurrently. One mirror and no partial copy remain.
    const versions = await Promise.all(sources.map((lessons) => lessons.open()));
    for (const version of versions) assert.equal(await read(version, 'a.md'), 'one');
    for (let round = 0; round < 5; round += 1) {
      const commit = await repository.commit({ 'a.md': `round ${round}` });
      const answers = await Promise.all(sources.map((lessons) => lessons.refresh()));
      assert.deepEqual(new Set(answers.map((answer) => answer.commit)), new Set([commit]));
    }
    assert.equal((await readdir(join(dataDir, 'lessons'))).filter((name) => name.includes('.git.')).length, 0);
    // One brings it up to date, and the others see it without asking the server.
    const last = await repository.commit({ 'a.md': 'last' });
    await sources[0]?.refresh();
    await repository.git(['symbolic-ref', 'HEAD', 'refs/heads/nowhere']);
    for (const lessons of sources) await until(async () => (await lessons.open()).commit === last);
  });

  it('recovers from the lock of a dead process', async () => {
    await using repository = await LocalRepository.create();
    await repository.commit({ 'a.md': 'one' });
    const { lessons, dataDir } = source(repository.path);
    await using _ = lessons;
    await lessons.open();
    const lock = join(await mirrorIn(dataDir), 'refs/lessons/head.lock');
    await writeFile(lock, '');
    await utimes(lock, 1, 1);
    const commit = await repository.commit({ 'a.md': 'two' });
    assert.equal((await lessons.refresh()).commit, commit);
  });

  itLong('continues to read after the reading process was killed', async () => {
    await using repository = await LocalRepository.create();
    const files = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`${index}.bin`, randomBytes(300_000)]));
    await repository.commit(files);
    const { lessons, dataDir } = source(repository.path);
    await using _ = lessons;
    const version = await lessons.open();
    const mirror = await mirrorIn(dataDir);
    const kill = async () => {
      for (const pid of await readersOf(mirror)) process.kill(pid, 'SIGKILL');
    };
    await kill();
    const reads = Object.entries(files).map(async ([path, bytes]) => {
      assert.ok((await version.read(path)).bytes.equals(bytes), path);
      if (path === '3.bin') await kill();
    });
    await Promise.all(reads);
    await kill();
    await repository.commit({ 'a.md': 'after' });
    await lessons.refresh();
    assert.equal(await read(await lessons.open(), 'a.md'), 'after');
  });

  const damages: Record<string, (mirror: string) => Promise<unknown>> = {
    'without its objects': (mirror) => rm(join(mirror, 'objects'), { recursive: true }),
    'without HEAD': (mirror) => rm(join(mirror, 'HEAD')),
    'gone altogether': (mirror) => rm(mirror, { recursive: true }),
    'with an empty reference': (mirror) => truncate(join(mirror, 'refs/lessons/head')),
    'with a broken configuration': (mirror) => appendFile(join(mirror, 'config'), '[['),
    'with truncated objects': async (mirror) => {
      for (const entry of await readdir(join(mirror, 'objects'), { recursive: true, withFileTypes: true })) {
        if (entry.isFile()) await truncate(join(entry.parentPath, entry.name), 8);
      }
    },
  };
  for (const [index, [name, damage]] of Object.entries(damages).entries()) {
    const test = index === 0 ? it : itLong;
    test(`clones a mirror again that is ${name}`, async () => {
      await using repository = await LocalRepository.create();
      await repository.commit({ 'a.md': 'whole', 'b/c.md': 'whole too' });
      const dataDir = join(folder, `damaged ${name}`);
      {
        // Before the start.
        await using lessons = source(repository.path, { dataDir }).lessons;
        await lessons.open();
        await damage(await mirrorIn(dataDir));
      }
      const { lessons } = source(repository.path, { dataDir });
      await using _ = lessons;
      assert.equal(await read(await lessons.open(), 'b/c.md'), 'whole too');
      // While it runs, met by a refresh; then the mirror is a sound one again.
      await damage(await mirrorIn(dataDir));
      const commit = await repository.commit({ 'a.md': 'next' });
      assert.equal((await lessons.refresh()).commit, commit);
      assert.equal(await read(await lessons.open(), 'a.md'), 'next');
      await using second = source(repository.path, { dataDir }).lessons;
      assert.equal(await read(await second.open(), 'a.md'), 'next');
    });
  }

  it('repairs itself on a read, and returns 503 until then', async () => {
    await using repository = await LocalRepository.create();
    await repository.commit({ 'a.md': 'a', 'b.md': 'b' });
    const { lessons, dataDir } = source(repository.path, { retrySeconds: 0.05 });
    await using _ = lessons;
    const version = await lessons.open();
    assert.equal(await read(version, 'a.md'), 'a');
    const mirror = await mirrorIn(dataDir);
    await rm(join(mirror, 'objects'), { recursive: true });
    await mkdir(join(mirror, 'objects'));
    // It may have the files open that were removed; another one has not.
    for (const pid of await readersOf(mirror)) process.kill(pid, 'SIGKILL');
    await rename(repository.path, `${repository.path}.away`);
    await assert.rejects(version.read('b.md'), isUnavailable);
    // Files that were read before are in memory.
    assert.equal(await read(version, 'a.md'), 'a');
    await rename(`${repository.path}.away`, repository.path);
    assert.equal(await until(() => read(version, 'b.md').catch(() => undefined)), 'b');
  });

  it('leaves no partial copy when it is stopped while copying', async () => {
    const sockets = new Set<Socket>();
    const silent = createServer((socket) => void sockets.add(socket.on('error', () => {})));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const { lessons, dataDir, log } = source(`http://127.0.0.1:${port}/lessons.git`);
    try {
      const opening = lessons.open();
      await until(() => sockets.size > 0);
      const refused = assert.rejects(opening, isUnavailable);
      await lessons[Symbol.asyncDispose]();
      await refused;
    } finally {
      for (const socket of sockets) socket.destroy();
      silent.close();
    }
    assert.deepEqual(await readdir(join(dataDir, 'lessons')), ['.gitconfig']);
    assert.deepEqual(log.warnings, []);
  });

  it('deletes old copies of killed processes, and keeps recent ones of others', async () => {
    await using repository = await LocalRepository.create();
    await repository.commit({ 'a.md': 'a' });
    const { lessons, dataDir } = source(repository.path);
    await using _ = lessons;
    await lessons.open();
    const mirror = await mirrorIn(dataDir);
    for (const suffix of ['.new-dead', '.old-dead', '.new-live']) await mkdir(mirror + suffix);
    for (const suffix of ['.new-dead', '.old-dead']) await utimes(mirror + suffix, 1, 1);
    await rm(mirror, { recursive: true });
    await lessons.refresh();
    const left = (await readdir(join(dataDir, 'lessons'))).filter((name) => name.includes('.git.'));
    assert.equal(left.length, 1);
    assert.match(left[0] ?? '', /\.new-live$/);
  });

  it("ignores the environment and the account's configuration", async () => {
    await using repository = await LocalRepository.create();
    await repository.commit({ 'a.md': 'a' });
    const foreign = {
      GIT_DIR: '/nowhere',
      GIT_OBJECT_DIRECTORY: '/nowhere',
      GIT_CONFIG_PARAMETERS: "'core.bare=x'",
      GIT_SSH_COMMAND: 'false',
    };
    Object.assign(process.env, foreign);
    try {
      await using lessons = source(repository.path).lessons;
      assert.equal(await read(await lessons.open(), 'a.md'), 'a');
    } finally {
      for (const name of Object.keys(foreign)) delete process.env[name];
    }
  });

  it('reports that git is missing', async () => {
    const { lessons, log } = source('/srv/lessons.git', { path: '/nowhere' });
    await using _ = lessons;
    await assert.rejects(lessons.open(), isUnavailable);
    assert.equal(log.warnings[0]?.['reason'], 'the git program cannot be started');
  });

  describe('of a folder', () => {
    it('serves its files unchanged, and follows changes', async () => {
      const shippedFolder = join(folder, 'shipped lessons');
      await mkdir(join(shippedFolder, 'linux', '.hidden'), { recursive: true });
      await writeFile(join(shippedFolder, 'linux', 'größe.md'), 'line\r\nline\n');
      await writeFile(join(shippedFolder, '.gitattributes'), '* text=auto\n');
      await writeFile(join(shippedFolder, 'linux', '.hidden', 'a.md'), 'hidden');
      const { lessons, dataDir } = source(undefined, { shippedFolder });
      await using _ = lessons;
      const version = await lessons.open();
      assert.equal(await read(version, 'linux/größe.md'), 'line\r\nline\n');
      for (const path of ['.gitattributes', 'linux/.hidden/a.md']) await assert.rejects(version.read(path), isMissing);
      assert.deepEqual(await lessons.refresh(), { commit: version.commit, changed: false });
      // The same files are the same commit, in another place too.
      await using twin = source(undefined, { shippedFolder }).lessons;
      assert.equal((await twin.open()).commit, version.commit);
      await writeFile(join(shippedFolder, 'linux', 'new.md'), 'new');
      // A start shows what the folder holds then, not what it held before.
      await using restarted = source(undefined, { shippedFolder, dataDir }).lessons;
      assert.equal(await read(await restarted.open(), 'linux/new.md'), 'new');
    });

    it('is unavailable if the folder is missing', async () => {
      const { lessons, log } = source(undefined, { shippedFolder: join(folder, 'nowhere') });
      await using _ = lessons;
      await assert.rejects(lessons.open(), isUnavailable);
      assert.equal(log.warnings[0]?.['reason'], 'the folder of lessons cannot be read');
    });
  });
});
