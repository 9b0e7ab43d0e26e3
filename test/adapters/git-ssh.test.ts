import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { fingerprintOf } from '../../packages/git-mirror/git-failure.ts';
import {
  acceptHostKey,
  createLessonSource,
  type LessonSourceOptions,
} from '../../src/adapters/git/create-lesson-source.ts';
import { UnavailableError } from '../../src/errors.ts';
import { GitServer } from '../git-server.ts';
import { describeLong } from '../rounds.ts';
import { MemoryLog, until } from './git-mirror-fixture.ts';

describeLong('lessons over SSH', () => {
  let server: GitServer;
  let folder: string;
  let count = 0;

  before(async () => {
    server = await GitServer.start();
    folder = await mkdtemp(join(tmpdir(), "platform lessons' 100% "));
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  /** A source with a data folder of its own; its name has what a shell or ssh would act on. */
  function source(options: Partial<LessonSourceOptions> = {}) {
    count += 1;
    const log = new MemoryLog();
    const lessons = createLessonSource({
      dataDir: join(folder, String(count)),
      shippedFolder: '',
      url: server.url,
      sshKeyPath: server.keyPath,
      staleSeconds: 3600,
      timeoutSeconds: 20,
      maxFileBytes: 8 * 1024 * 1024,
      log,
      ...options,
    });
    return { lessons, log };
  }
  const isUnavailable = (error: unknown) => error instanceof UnavailableError && error.status === 503;

  it('clones and reads with the key', async () => {
    const big = randomBytes(5 * 1024 * 1024);
    const commit = await server.commit({ 'einführung/größe.md': '# Größe', 'big.bin': big });
    await using lessons = source().lessons;
    const version = await lessons.open();
    assert.equal(version.commit, commit);
    assert.equal((await version.read('einführung/größe.md')).bytes.toString(), '# Größe');
    assert.ok((await version.read('big.bin')).bytes.equals(big));
  });

  it('opens one connection for concurrent first readers', async () => {
    await using lessons = source().lessons;
    const connections = server.connections;
    const versions = await Promise.all(Array.from({ length: 50 }, () => lessons.open()));
    assert.equal(new Set(versions).size, 1);
    assert.equal(server.connections, connections + 1);
  });

  it('is refused with a wrong key, and reports it without the address', async () => {
    const { lessons, log } = source({ sshKeyPath: server.wrongKeyPath });
    await using _ = lessons;
    await assert.rejects(lessons.open(), isUnavailable);
    assert.equal(log.warnings[0]?.['reason'], 'the Git server refused the credentials');
  });

  it('reports a key that is missing, invalid, or accessible to others', async () => {
    const keys = join(folder, 'keys');
    await mkdir(keys);
    await writeFile(join(keys, 'no-key'), 'not a key\n', { mode: 0o600 });
    await copyFile(server.keyPath, join(keys, 'open'));
    await chmod(join(keys, 'open'), 0o644);
    for (const [name, reason] of [
      ['missing', /missing or cannot be read/],
      ['no-key', /not a key/],
      ['open', /chmod 600/],
    ] as const) {
      const { lessons, log } = source({ sshKeyPath: join(keys, name) });
      await using _ = lessons;
      await assert.rejects(lessons.open(), isUnavailable);
      assert.match(String(log.warnings[0]?.['reason']), reason);
    }
  });

  it('keeps the first host key, and refuses any other while serving the old copy', async () => {
    for (const type of ['ed25519', 'ecdsa', 'rsa'] as const) {
      await server.changeHostKey('ed25519');
      const commit = await server.commit({ 'a.md': `before ${type}` });
      const { lessons, log } = source();
      await using _ = lessons;
      await lessons.open();
      await server.changeHostKey(type);
      await server.commit({ 'a.md': 'from somebody else' });
      await assert.rejects(lessons.refresh(), (error: Error) => isUnavailable(error) && /host key/.test(error.message));
      assert.match(String(log.warnings[0]?.['reason']), /host key/);
      const version = await lessons.open();
      assert.equal(version.commit, commit);
      assert.equal((await version.read('a.md')).bytes.toString(), `before ${type}`);
    }
    await server.changeHostKey('ed25519');
  });

  it('accepts only host keys of the given list, and does not change the list', async () => {
    const knownHostsPath = join(folder, 'known hosts 50%');
    await writeFile(knownHostsPath, await server.knownHost());
    const list = await readFile(knownHostsPath, 'utf8');
    {
      await using lessons = source({ knownHostsPath }).lessons;
      await lessons.open();
    }
    assert.equal(await readFile(knownHostsPath, 'utf8'), list);
    await writeFile(knownHostsPath, '');
    const { lessons, log } = source({ knownHostsPath });
    await using _ = lessons;
    await assert.rejects(lessons.open(), isUnavailable);
    assert.match(String(log.warnings[0]?.['reason']), /host key/);
    assert.equal(await readFile(knownHostsPath, 'utf8'), '');
  });

  it('replaces the key of one server in our own list only, and never changes that of the operator', async () => {
    const dataDir = join(folder, 'replaced');
    const [list, others] = [join(dataDir, 'lessons/known_hosts'), 'other.example ssh-ed25519 AAAA\n'];
    await mkdir(join(dataDir, 'lessons'), { recursive: true });
    await writeFile(list, others + (await server.knownHost()));
    await server.changeHostKey('ecdsa');
    const knownHost = await server.knownHost();
    const fingerprint = fingerprintOf(knownHost.split(' ')[2] ?? '');
    const accept = (knownHostsPath?: string, url = server.url) =>
      acceptHostKey({ dataDir, timeoutSeconds: 10, knownHostsPath }, url, fingerprint);
    assert.equal(await accept(list), 'operators_list');
    assert.equal(await accept(undefined, 'https://example.com/a.git'), 'not_ssh');
    assert.equal(await accept(), 'accepted');
    const fields = (text: string) => text.split('\n').map((line) => line.split(' ').slice(0, 3).join(' '));
    assert.deepEqual(fields(await readFile(list, 'utf8')), fields(others + knownHost));
    await using lessons = source({ dataDir }).lessons;
    await lessons.open();
    await server.changeHostKey('ed25519');
    assert.equal(await accept(), 'other_key');
  });

  it('returns 503 until the server is first reached', async () => {
    await server.shut();
    const { lessons, log } = source({ retrySeconds: 0.01 });
    await using _ = lessons;
    try {
      await assert.rejects(lessons.open(), isUnavailable);
      assert.equal(log.warnings[0]?.['reason'], 'the Git server refused the connection');
    } finally {
      await server.listen();
    }
    const commit = await server.commit({ 'a.md': 'there' });
    const version = await until(() => lessons.open().catch(() => undefined));
    assert.equal(version.commit, commit);
  });

  it('serves the copy while the server is down, even after a restart, and updates in the background', async () => {
    const old = await server.commit({ 'a.md': 'old' });
    const dataDir = join(folder, 'restarted');
    {
      await using lessons = source({ dataDir }).lessons;
      await lessons.open();
    }
    await server.shut();
    const { lessons, log } = source({ dataDir, staleSeconds: 0, retrySeconds: 0.05 });
    await using _ = lessons;
    assert.equal((await (await lessons.open()).read('a.md')).bytes.toString(), 'old');
    await until(() => log.warnings.length > 0);
    assert.equal((await lessons.open()).commit, old);
    await server.listen();
    const next = await server.commit({ 'a.md': 'new' });
    const version = await until(async () => {
      const candidate = await lessons.open();
      return candidate.commit === next ? candidate : undefined;
    });
    assert.equal((await version.read('a.md')).bytes.toString(), 'new');
  });

  it('follows a forced push and survives the deletion of its branch', async () => {
    await server.commit({ 'a.md': 'main' });
    await server.commit({ 'a.md': 'one', 'b.md': 'b' }, { branch: 'course', isNewHistory: true });
    await using lessons = source({ branch: 'course' }).lessons;
    assert.equal((await (await lessons.open()).read('a.md')).bytes.toString(), 'one');
    const forced = await server.commit({ 'a.md': 'another history' }, { branch: 'course', isNewHistory: true });
    assert.deepEqual(await lessons.refresh(), { commit: forced, changed: true });
    await server.exec('cd /srv/lessons.git && runuser -u git -- git update-ref -d refs/heads/course');
    await assert.rejects(lessons.refresh(), (error: Error) => isUnavailable(error) && /branch/.test(error.message));
    const version = await lessons.open();
    assert.equal(version.commit, forced);
    assert.equal((await version.read('a.md')).bytes.toString(), 'another history');
  });

  it('times out if the server does not answer', async () => {
    const sockets = new Set<Socket>();
    const silent = createServer((socket) => void sockets.add(socket.on('error', () => {})));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const { lessons, log } = source({ url: `ssh://git@127.0.0.1:${port}/srv/lessons.git`, timeoutSeconds: 1 });
    try {
      await using _ = lessons;
      await assert.rejects(lessons.open(), isUnavailable);
      await until(() => log.warnings.length > 0);
      assert.equal(log.warnings[0]?.['reason'], 'the Git server did not answer in time');
      // Until the next retry is due, the server is not asked again.
      const asked = sockets.size;
      await assert.rejects(lessons.open(), isUnavailable);
      assert.equal(sockets.size, asked);
    } finally {
      for (const socket of sockets) socket.destroy();
      silent.close();
    }
  });
});
