import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { inspect } from 'node:util';
import { ObjectFolder } from '../../src/adapters/disk/object-folder.ts';
import { Bucket } from '../../src/adapters/s3/bucket.ts';
import type { S3Store } from '../../src/adapters/s3/s3-store.ts';
import type { ObjectStore } from '../../src/ports/object-store.ts';
import {
  assertUnavailable,
  chunksOf,
  contentOf,
  describeObjectStore,
  keysOf,
  newKey,
} from '../contracts/object-store.ts';
import { SmallDisk } from '../reliability/small-disk.ts';
import { describeLong } from '../rounds.ts';
import { until } from '../until.ts';
import { S3Server, s3Skip } from './s3-server.ts';

const mib = 1024 * 1024;
const max = { maxBytes: 64 * mib };

/** Kills a process that writes, with SIGKILL. @returns the lines of the growing file that are older than the store's delay */
async function killWriter(env: Record<string, string>, keys: [string, string], delay: number): Promise<number> {
  const child = fork(join(import.meta.dirname, 'killed-writer.ts'), keys, { env: { ...process.env, ...env } });
  const lines: number[] = [];
  let sent = 0;
  child.on('message', (message: { line?: number; at?: number; sent?: number }) => {
    if (message.line !== undefined) lines[message.line] = message.at ?? 0;
    sent = message.sent ?? sent;
  });
  // Long enough that the first lines must be stored.
  await until(() => sent >= 20 && (lines.at(-1) ?? 0) - (lines[0] ?? 0) > 3 * delay + 500, 'the process to write');
  const end = once(child, 'exit');
  const death = Date.now();
  child.kill('SIGKILL');
  await end;
  return lines.filter((at) => at < death - delay).length;
}

describe('the data folder as a storage', () => {
  let folder: string;
  let store: ObjectFolder;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'objects-'));
    store = new ObjectFolder(folder);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  describeObjectStore(() => store);

  it('keeps whole files when the process is killed, and removes what was left unfinished', async () => {
    const [whole, grown] = [newKey('killed'), newKey('killed')];
    const stored = await killWriter({ DATA_DIR: folder }, [whole, grown], 0);
    assert.deepEqual([await store.open(whole), await keysOf(store, 'killed')], [undefined, [grown]]);
    const lines = (await contentOf(store, grown))?.toString().split('\n') ?? [];
    assert.ok(lines.length - 1 >= stored, `${lines.length} lines`);
    const left = (await readdir(join(folder, 'killed'))).filter((name) => name.endsWith('.tmp'));
    assert.equal(left.length, 1);
    assert.equal(await store.removeUnfinished('killed', 3600), 0, 'a young one may be in progress');
    const old = new Date(Date.now() - 2 * 3600 * 1000);
    await utimes(join(folder, 'killed', left[0] ?? ''), old, old);
    assert.equal(await store.removeUnfinished('killed', 3600), 1);
    assert.deepEqual(await readdir(join(folder, 'killed')), [grown.split('/')[1]]);
  });

  it('keeps the time of a file that is copied', async () => {
    const key = newKey();
    const changedAt = new Date('2026-01-02T03:04:05Z');
    await store.put(key, Buffer.from('x'), { ...max, changedAt });
    assert.deepEqual((await store.status(key))?.changedAt, changedAt);
  });

  it('refuses on a full disk, leaves nothing, and continues when there is room', async (context) => {
    const disk = await SmallDisk.mount(4);
    if ('reason' in disk) return context.skip(disk.reason);
    await using _disk = disk;
    const small = new ObjectFolder(disk.folder);
    const file = await small.begin('things/grown');
    await file.append('begin\n');
    await assertUnavailable(small.put('things/large', chunksOf(randomBytes(5 * mib), mib), max));
    assert.deepEqual(await readdir(join(disk.folder, 'things')), ['grown']);
    await disk.fill();
    const more = `${'x'.repeat(5000)}\n`;
    await assertUnavailable(file.append(more));
    await assertUnavailable(small.put('things/x', Buffer.from('x'), max));
    await disk.free();
    await small.put('things/x', Buffer.from('x'), max);
    await file.close();
    assert.match((await contentOf(small, 'things/grown'))?.toString() ?? '', /^begin\n/);
  });

  it('refuses where it has no access', { skip: process.getuid?.() !== 0 && 'it takes another user' }, async () => {
    const closed = new ObjectFolder(join(folder, 'closed'));
    await closed.put('things/x', Buffer.from('x'), max);
    await chmod(folder, 0o755);
    await chmod(join(folder, 'closed'), 0o700);
    process.seteuid?.(12_346);
    try {
      await assertUnavailable(closed.put('things/y', Buffer.from('y'), max));
      await assertUnavailable(closed.open('things/x'));
      await assertUnavailable(closed.status('things/x'));
      await assertUnavailable(keysOf(closed, 'things'));
      await assertUnavailable(closed.remove('things/x'));
    } finally {
      process.seteuid?.(0);
    }
    await closed.check();
  });

  it('lists only its own files', async () => {
    await mkdir(join(folder, 'foreign'));
    for (const name of ['.hidden', 'with space', 'good', `good.${'0'.repeat(16)}.tmp`])
      await writeFile(join(folder, 'foreign', name), 'x');
    assert.deepEqual(await keysOf(store, 'foreign'), ['foreign/good']);
  });
});

describeLong('S3 as a storage', { skip: s3Skip }, () => {
  let server: S3Server;
  let store: S3Store;
  before(async () => {
    server = await S3Server.start();
    store = server.store({ prefix: 'school/one', listPage: 5 });
  });
  after(() => server?.[Symbol.asyncDispose]());
  afterEach(() => {
    server.fault = () => undefined;
  });

  describeObjectStore(() => store);

  it('keeps whole files when the process is killed, and loses at most the seconds of its configuration', async () => {
    const [whole, grown] = [newKey('killed'), newKey('killed')];
    const env = { ...server.environment('killing'), DATA_DIR: tmpdir() };
    // The second of s3AppendSeconds, and the duration of the request on a busy machine.
    const stored = await killWriter(env, [whole, grown], 3000);
    const killed = server.store({ prefix: 'killing' });
    assert.deepEqual([await killed.open(whole), await keysOf(killed, 'killed')], [undefined, [grown]]);
    const lines = (await contentOf(killed, grown))?.toString().split('\n') ?? [];
    assert.ok(stored > 20 && lines.length - 1 >= stored, `${lines.length} of ${stored} lines`);
    assert.equal(await killed.removeUnfinished('killed', 3600), 0, 'a young one may be in progress');
    assert.equal(await killed.removeUnfinished('killed', -60), 1);
    assert.equal(await killed.removeUnfinished('killed', -60), 0);
  });

  it('lists only its own files', async () => {
    const bucket = new Bucket(server.settings);
    for (const name of ['foreign/', 'foreign/with space', 'foreign/a/b/c', 'foreign/good'])
      await bucket.put(`school/one/${name}`, Buffer.from('x'));
    assert.deepEqual(await keysOf(store, 'foreign'), ['foreign/good']);
  });

  it('keeps several services in one bucket apart', async () => {
    const other = server.store({ prefix: 'school/on' });
    const key = newKey('apart');
    await store.put(key, Buffer.from('one'), max);
    assert.deepEqual([await other.open(key), await keysOf(other, 'apart')], [undefined, []]);
    await other.put(key, Buffer.from('two'), max);
    await other.remove(key);
    assert.equal((await contentOf(store, key))?.toString(), 'one');
  });

  it('tries again for a while what fails with SlowDown, and refuses then', async () => {
    const key = newKey();
    let left = 2;
    server.fault = () => (left-- > 0 ? { kind: 'answer', status: 503, code: 'SlowDown' } : undefined);
    await store.put(key, Buffer.from('x'), max);
    left = 2;
    assert.equal((await contentOf(store, key))?.toString(), 'x');
    left = 2;
    // A part of a large file.
    const bytes = randomBytes(17 * mib);
    server.fault = ({ path }) =>
      path.includes('partNumber=2') && left-- > 0 ? { kind: 'answer', status: 503, code: 'SlowDown' } : undefined;
    const large = newKey();
    await store.put(large, bytes, max);
    assert.ok((await contentOf(store, large))?.equals(bytes));

    server.fault = () => ({ kind: 'answer', status: 503, code: 'SlowDown' });
    const before = server.requests.length;
    const error = await assertUnavailable(store.put(newKey(), Buffer.from('x'), max));
    assert.match(String((error.cause as Error).message), /^PUT school\/one\/things\/[\w.-]+: 503 SlowDown$/);
    assert.equal(server.requests.length - before, 4, 'a bounded number of requests');
    await Promise.all(refusals(store).map((work) => assertUnavailable(work())));
  });

  /** Every operation, on a file that may not exist. */
  function refusals(broken: ObjectStore): (() => Promise<unknown>)[] {
    return [
      () => broken.put(newKey(), Buffer.from('x'), max),
      () => broken.put(newKey(), randomBytes(9 * mib), max),
      () => broken.open(newKey()),
      () => broken.status(newKey()),
      () => broken.remove(newKey()),
      () => keysOf(broken, 'things'),
      () => broken.removeUnfinished('things', 0),
      () => broken.check(),
    ];
  }

  it('refuses while the server is away, and continues afterwards', async () => {
    const key = newKey();
    await store.put(key, Buffer.from('x'), max);
    await server.shut();
    try {
      for (const work of refusals(store)) await assertUnavailable(work());
    } finally {
      await server.listen();
    }
    assert.equal((await contentOf(store, key))?.toString(), 'x');
  });

  it('refuses in time while the server does not answer', async () => {
    const hasty = server.store({ timeout: 300 });
    server.fault = () => ({ kind: 'hang' });
    const results = refusals(hasty).map((work) => assertUnavailable(work()));
    for (const error of await Promise.all(results)) assert.match(String(error.cause), /no answer timeout/);
  });

  it('fails a reading whose answer ends too early or stalls', async () => {
    const key = newKey();
    await store.put(key, randomBytes(3 * mib), max);
    server.fault = ({ method }) => (method === 'GET' ? { kind: 'cut', after: mib } : undefined);
    await assertUnavailable(contentOf(store, key));
  });

  it('reads on for a reader who is slower than the limit of a request', async () => {
    const key = newKey();
    const bytes = randomBytes(8 * mib);
    await store.put(key, bytes, max);
    const limit = 2500;
    const found = await server.store({ timeout: limit, prefix: 'school/one' }).open(key);
    const begin = performance.now();
    const chunks: Buffer[] = [];
    for await (const chunk of found?.stream ?? []) {
      chunks.push(chunk);
      if (chunks.length === 1) await until(() => performance.now() - begin > 2 * limit, 'more than the limit');
    }
    assert.ok(Buffer.concat(chunks).equals(bytes));
  });

  it('gives the connection of a stream back that nobody reads', async () => {
    const key = newKey();
    const hasty = server.store({ timeout: 60_000 });
    await hasty.put(key, randomBytes(3 * mib), max);
    // More than there are connections.
    for (let round = 0; round < 70; round += 1) (await hasty.open(key))?.stream.destroy();
    await hasty.check();
  });

  it('succeeds where the answer to a request was lost', async () => {
    const bytes = randomBytes(17 * mib);
    const lost = new Set<string>();
    server.fault = ({ method, path }) => {
      // Each request once, those that begin an upload included.
      const name = `${method} ${path.replace(/uploadId=[^&]*/, '')}`;
      if (method === 'DELETE' || lost.has(name)) return undefined;
      lost.add(name);
      return { kind: 'lose answer' };
    };
    const key = newKey('lost');
    assert.equal(await store.put(key, bytes, max), bytes.length);
    server.fault = () => undefined;
    assert.ok(lost.size >= 5, [...lost].join('\n'));
    assert.ok((await contentOf(store, key))?.equals(bytes));
  });

  it('loses nothing of a growing file while the storage fails for a while', async () => {
    const key = newKey();
    const quick = server.store({ timeout: 60_000, prefix: 'school/one' });
    const file = await quick.begin(key);
    await file.append('begin\n');
    let text = 'begin\n';
    await server.shut();
    for (let round = 0; round < 100; round += 1) {
      text += `${round}\n`;
      await file.append(`${round}\n`);
    }
    await server.listen();
    await until(async () => (await contentOf(store, key))?.toString() === text, 'the lines');
    await server.shut();
    await file.append('end\n');
    const closing = file.close();
    await server.listen();
    await closing;
    assert.equal((await contentOf(store, key))?.toString(), `${text}end\n`);
  });

  it('has few objects for a growing file, and removes all of them', async () => {
    const key = newKey('few');
    const file = await store.begin(key);
    for (let round = 0; round < 16; round += 1) {
      await file.append(`${round} ${'x'.repeat(20_000)}\n`);
      await until(async () => (await store.status(key))?.bytes === (round + 1) * 20_000 + lineEnds(round), 'the line');
    }
    await file.close();
    const name = key.split('/')[1] ?? '';
    let parts = 0;
    for await (const _ of new Bucket(server.settings).list(`school/one/few/${name}`)) parts += 1;
    assert.ok(parts <= 3, `${parts} objects`);
    const puts = server.requests.filter(({ method, path }) => method === 'PUT' && path.includes(name));
    assert.ok(puts.every(({ bytes }) => bytes < 200 * 1024));
    await store.remove(key);
    assert.equal(await store.status(key), undefined);
  });

  it('refuses with wrong credentials, another region and a missing bucket, and says so', async () => {
    const codes = async (settings: Parameters<S3Server['store']>[0]) => {
      const errors = await Promise.all(refusals(server.store(settings)).map((work) => assertUnavailable(work())));
      return [...new Set(errors.map(({ cause }) => String(cause).replace(/^S3Error: .*: /, '')))];
    };
    assert.deepEqual(await codes({ secretAccessKey: 'a wrong one'.replaceAll(' ', '-') }), [
      '403 SignatureDoesNotMatch',
    ]);
    assert.deepEqual(await codes({ accessKeyId: 'school:nobody' }), ['403 SignatureDoesNotMatch']);
    assert.deepEqual(await codes({ region: 'eu-central-1' }), ['400 AuthorizationHeaderMalformed']);
    assert.deepEqual(await codes({ bucket: 'no-such-bucket' }), ['404 NoSuchBucket']);
  });

  it('never reveals its keys', async () => {
    const lines: unknown[] = [];
    const log = { warn: (...line: unknown[]) => lines.push(line), info: (...line: unknown[]) => lines.push(line) };
    const { secretAccessKey, accessKeyId } = server.settings;
    const broken = server.store({ bucket: 'no-such-bucket' }, log);
    const errors = await Promise.all(refusals(broken).map((work) => assertUnavailable(work())));
    await server.shut();
    errors.push(...(await Promise.all(refusals(server.store({}, log)).map((work) => assertUnavailable(work())))));
    await server.listen();
    const text = inspect([errors, lines, broken.place], { depth: 20, showHidden: true, maxStringLength: null });
    assert.ok(lines.length >= 2 && text.includes('NoSuchBucket'));
    assert.ok(!text.includes(secretAccessKey) && !text.includes(accessKeyId) && !/Signature=/.test(text));
  });

  it('logs an outage once, and its end', async () => {
    const lines: string[] = [];
    const log = {
      warn: (_details: object, message: string) => lines.push(message),
      info: (message: string) => lines.push(message),
    };
    const logged = server.store({}, log);
    server.fault = () => ({ kind: 'answer', status: 500, code: 'InternalError' });
    for (let round = 0; round < 3; round += 1) await assertUnavailable(logged.check());
    server.fault = () => undefined;
    for (let round = 0; round < 3; round += 1) await logged.check();
    await logged.open(newKey());
    assert.deepEqual(lines, ['the object storage has failed', 'the object storage works again']);
  });

  it('bounds the requests at once', async () => {
    const slow = server.store({ timeout: 2000 });
    const results = await Promise.allSettled(Array.from({ length: 1200 }, () => slow.check()));
    const refused = results.filter((one) => one.status === 'rejected' && /Too many files/.test(String(one.reason)));
    assert.equal(refused.length, 1200 - 1064);
  });
});

const lineEnds = (round: number): number =>
  Array.from({ length: round + 1 }, (_, at) => `${at} \n`.length).reduce((a, b) => a + b, 0);
