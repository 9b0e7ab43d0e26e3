import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { it } from 'node:test';
import { UnavailableError } from '../../src/errors.ts';
import { HomeFiles } from '../../src/features/capacity/home-files.ts';
import { type ObjectStore, ObjectTooLargeError } from '../../src/ports/object-store.ts';
import { until } from '../until.ts';

const mib = 1024 * 1024;
const max = { maxBytes: 64 * mib };
let names = 0;
/** A key that no other test uses. */
export const newKey = (folder = 'things'): string => {
  names += 1;
  return `${folder}/${names}-${randomBytes(4).toString('hex')}.bin`;
};

export async function contentOf(store: ObjectStore, key: string, range?: { start: number; end: number }) {
  const found = await store.open(key, range);
  if (!found) return undefined;
  const content = Buffer.concat(await found.stream.toArray());
  assert.equal(content.length, found.bytes);
  return content;
}

export async function keysOf(store: ObjectStore, folder: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list(folder)) keys.push(key);
  return keys.sort();
}

/** Chunks of a body, and what happens while it is stored. */
export async function* chunksOf(
  bytes: Buffer,
  size: number,
  between: (sent: number) => Promise<void> | void = () => {},
) {
  for (let at = 0; at < bytes.length; at += size) {
    yield bytes.subarray(at, at + size);
    await between(Math.min(bytes.length, at + size));
  }
}

/** What every storage of files promises. @param open the storage, ready when the tests run */
export function describeObjectStore(open: () => ObjectStore): void {
  it('stores bytes and streams, and reads them whole and by ranges', async () => {
    const store = open();
    for (const size of [0, 1, 100_000, 17 * mib + 17]) {
      const bytes = randomBytes(size);
      const [one, two] = [newKey(), newKey()];
      assert.equal(await store.put(one, bytes, max), size);
      assert.equal(await store.put(two, chunksOf(bytes, 100_003), max), size);
      for (const key of [one, two]) {
        assert.ok((await contentOf(store, key))?.equals(bytes), `${size} bytes`);
        const status = await store.status(key);
        assert.deepEqual([status?.key, status?.bytes], [key, size]);
        assert.ok(Math.abs(Date.now() - (status?.changedAt.getTime() ?? 0)) < 60_000);
      }
      if (size < 100) continue;
      const middle = { start: 50, end: size - 25 };
      assert.ok((await contentOf(store, two, middle))?.equals(bytes.subarray(50, size - 24)));
      assert.ok((await contentOf(store, two, { start: 7, end: 7 }))?.equals(bytes.subarray(7, 8)));
    }
  });

  it('has nothing under an unknown key, and removes it all the same', async () => {
    const store = open();
    const key = newKey();
    assert.deepEqual([await store.open(key), await store.status(key)], [undefined, undefined]);
    assert.equal(await store.open(key, { start: 0, end: 9 }), undefined);
    await store.remove(key);
    await store.put(key, randomBytes(10), max);
    await store.remove(key);
    assert.deepEqual([await store.open(key), await store.status(key)], [undefined, undefined]);
    assert.deepEqual(await keysOf(store, 'nothing'), []);
  });

  it('lists the files of one folder, also more than a page of them', async () => {
    const store = open();
    const keys = Array.from({ length: 12 }, () => newKey('many')).sort();
    await Promise.all(keys.map((key) => store.put(key, Buffer.from(key), max)));
    const grown = newKey('many');
    const file = await store.begin(grown);
    await file.append('a line\n');
    await file.close();
    await store.put(newKey('manyothers'), Buffer.from('x'), max);
    assert.deepEqual(await keysOf(store, 'many'), [...keys, grown].sort());
    for await (const { key, bytes } of store.list('many')) assert.equal(bytes, key === grown ? 7 : key.length);
  });

  it('refuses what is larger than its limit, and leaves nothing', async () => {
    const store = open();
    for (const size of [1001, 17 * mib]) {
      const key = newKey();
      const maxBytes = size - 1;
      const body = chunksOf(randomBytes(size), 64 * 1024);
      await assert.rejects(store.put(key, body, { maxBytes }), (error) => {
        assert.ok(error instanceof ObjectTooLargeError);
        return error.maxBytes === maxBytes;
      });
      assert.equal(await store.status(key), undefined);
      assert.equal(await store.put(key, randomBytes(maxBytes), { maxBytes }), maxBytes);
    }
    assert.equal(await store.removeUnfinished('things', -60), 0, 'nothing is left unfinished');
  });

  it('shows nothing of a file before it is complete, and nothing of one that failed', async () => {
    const store = open();
    const key = newKey('half');
    const bytes = randomBytes(17 * mib);
    const unseen = async () => {
      assert.equal(await store.open(key), undefined);
      assert.deepEqual(await keysOf(store, 'half'), []);
    };
    await store.put(key, chunksOf(bytes, 5 * mib, unseen), max);
    assert.ok((await contentOf(store, key))?.equals(bytes));

    const other = newKey('half');
    const failing = chunksOf(bytes, 5 * mib, (sent) => {
      if (sent > 15 * mib) throw new Error('the source failed');
    });
    await assert.rejects(store.put(other, failing, max), /^Error: the source failed$/);
    assert.deepEqual(await keysOf(store, 'half'), [key]);
    assert.equal(await store.removeUnfinished('half', -60), 0, 'nothing is left unfinished');
  });

  // Long: one file from its beginning to its end.
  it('grows a file that others read meanwhile', async () => {
    const store = open();
    const key = newKey();
    const file = await store.begin(key);
    let text = 'the first line\n';
    await file.append(text);
    assert.equal((await contentOf(store, key))?.toString(), text, 'it exists at once');
    const append = async (more: string) => {
      text += more;
      await file.append(more);
    };
    const visible = async () => (await contentOf(store, key))?.toString() ?? '';
    for (let round = 0; round < 5; round += 1) {
      await append(`line ${round} ü\n`);
      await until(async () => (await visible()) === text, 'the line');
      const status = await store.status(key);
      assert.equal(status?.bytes, Buffer.byteLength(text));
    }
    // More than the storage takes in one piece.
    for (let round = 0; round < 40; round += 1) await append(`${`${round}`.repeat(40_000)}\n`);
    await append('the last line\n');
    await file.close();
    assert.equal(await visible(), text);
    const bytes = Buffer.from(text);
    for (const [start, end] of [
      [0, 5],
      [100, 900_000],
      [131_071, 131_073],
      [bytes.length - 20, bytes.length - 1],
    ] as const) {
      const found = await contentOf(store, key, { start, end });
      assert.ok(found?.equals(bytes.subarray(start, end + 1)), `${start} to ${end}`);
    }
    assert.deepEqual(
      (await keysOf(store, 'things')).filter((name) => name === key),
      [key],
    );
    await store.remove(key);
    assert.deepEqual([await store.open(key), await store.status(key)], [undefined, undefined]);
    assert.ok(!(await keysOf(store, 'things')).includes(key));
  });

  it('reads a growing file as it was when the reading began, without a gap', async () => {
    const store = open();
    const key = newKey();
    const file = await store.begin(key);
    let text = '';
    const append = async (more: string) => {
      text += more;
      await file.append(more);
    };
    await append('begin\n');
    let isOver = false;
    const reads = (async () => {
      for (let count = 0; !isOver || count < 5; count += 1) {
        const found = (await contentOf(store, key))?.toString() ?? '';
        assert.ok(text.startsWith(found) && found.length > 0);
      }
    })();
    for (let round = 0; round < 30; round += 1) {
      await append(`${round} ${'x'.repeat(5000)}\n`);
      if (round % 10 === 0) await until(async () => (await contentOf(store, key))?.toString() === text, 'the lines');
    }
    isOver = true;
    await reads;
    await file.close();
    assert.equal((await contentOf(store, key))?.toString(), text);
  });

  it('keeps home folders: replaced as a whole, and refused above their limit', async () => {
    const refusal = (limit: number) => new Error(`more than ${limit}`);
    const homes = new HomeFiles(open(), { limit: 9 * mib, refusal });
    const uid = randomBytes(8).toString('hex');
    const saved = async () => {
      const found = await homes.open(uid);
      return found && Buffer.concat(await found.content.toArray());
    };
    assert.equal(await saved(), undefined);
    await homes.remove(uid);
    for (const size of [3 * mib, 9 * mib, 100]) {
      const bytes = randomBytes(size);
      await homes.save(uid, Readable.from(chunksOf(bytes, 65_536)));
      assert.ok((await saved())?.equals(bytes), `${size}`);
    }
    const before = await saved();
    await assert.rejects(
      homes.save(uid, Readable.from(chunksOf(randomBytes(9 * mib + 1), 65_536))),
      /more than 9437184/,
    );
    const broken = new Readable({ read: () => undefined });
    const saving = homes.save(uid, broken);
    broken.push(randomBytes(1000));
    broken.destroy(new Error('the container has ended'));
    await assert.rejects(saving, /the container has ended/);
    assert.deepEqual(await saved(), before, 'the earlier one stays');
    await homes.remove(uid);
    assert.equal(await saved(), undefined);
  });

  it('accepts only keys', async () => {
    const store = open();
    const names = [
      '../secret-key',
      'things/../../x',
      '/etc/passwd',
      'things',
      'things/',
      'things/a/b',
      'things/.x',
      '',
    ];
    for (const name of names) {
      await assert.rejects(store.open(name), /not the key/);
      await assert.rejects(store.put(name, Buffer.from('x'), max), /not the key/);
      await assert.rejects(store.begin(name), /not the key/);
      await assert.rejects(store.remove(name), /not the key/);
      await assert.rejects(store.status(name), /not the key/);
    }
  });
}

/** The refusal of a storage that cannot be used. */
export async function assertUnavailable(work: Promise<unknown>): Promise<UnavailableError> {
  const error = await work.then(
    () => assert.fail('it succeeded'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof UnavailableError, String(error));
  assert.equal(error.code, 'storage_unavailable');
  return error;
}
