import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { fitsTar, tarEnd, tarHeader, tarPadding } from '../../../packages/ssh/tar.ts';
import { filesOf } from '../../../test/evidence-archive.ts';
import { maxLayerBytes } from '../evidence/layer.ts';
import { DataExport } from './data-export.ts';
import type { OwnMachine } from './data-store.ts';

type Item = {
  name: string;
  content?: string;
  mode?: number;
  uid?: number;
  gid?: number;
  links?: number;
  mtime?: number;
};

/** An archive of cpio (newc), compressed. */
function layerOf(items: readonly Item[]): Buffer {
  const hex = (value: number): string => value.toString(16).padStart(8, '0');
  const pad = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
  const parts = [...items, { name: 'TRAILER!!!' }].map((item: Item) => {
    const { name, content = '', mode = 0o100644, uid = 0, gid = 0, links = 1, mtime = 0 } = item;
    const numbers = [
      1,
      mode,
      uid,
      gid,
      links,
      mtime,
      Buffer.byteLength(content),
      0,
      0,
      0,
      0,
      Buffer.byteLength(name) + 1,
      0,
    ];
    return Buffer.concat([pad(Buffer.from(`070701${numbers.map(hex).join('')}${name}\0`)), pad(Buffer.from(content))]);
  });
  return gzipSync(Buffer.concat(parts));
}

async function archiveOf(
  machines: OwnMachine[],
  layer: Buffer,
  maxMachineBytes?: number,
): Promise<Map<string, Buffer>> {
  const once = (bytes: Buffer) => ({ bytes: bytes.length, read: async () => Readable.from([bytes]) });
  const data = new DataExport({
    store: {
      rows: async function* () {},
      files: async function* () {},
      recordings: async () => [],
      machines: async () => machines,
      avatarKey: async () => null,
    },
    avatars: { read: async () => undefined },
    recordings: { read: async () => undefined },
    machines: { layer: async () => ({ layer: once(layer), paths: once(Buffer.from('paths')) }) },
    tar: { header: tarHeader, padding: tarPadding, fits: fitsTar, end: tarEnd },
    ...(maxMachineBytes === undefined ? {} : { maxMachineBytes }),
  });
  return filesOf(await buffer(Readable.from(data.open(1))));
}

const machine = (attempt_id: number, account: OwnMachine['account'] = 'student'): OwnMachine => ({
  ...{ attempt_id, account, submitted_at: new Date(100_500) },
});
const namesOf = (files: Map<string, Buffer>): string[] =>
  [...files.keys()].flatMap((name) => /^machines\/attempt-1\/files\/(.*)/.exec(name)?.[1] ?? []);

describe('the machines in the archive of a user', () => {
  const layer = layerOf([
    { name: './closed', mode: 0o040700 },
    { name: './closed/readable', content: 'secret' },
    { name: './closed/own', content: 'secret', uid: 1000 },
    { name: './link', mode: 0o120777, content: 'target' },
    { name: './of-group', mode: 0o100640, gid: 1000, content: 'shared' },
    { name: './of-root', mode: 0o100600, content: 'secret' },
    { name: './own', mode: 0o100000, uid: 1000, content: 'mine', mtime: 200 },
    { name: './root/readable', content: 'secret' },
    { name: './twin', links: 2 },
    { name: './twin-2', links: 2, content: 'twins', mtime: 99 },
    { name: './while-submitting', content: 'late', mtime: 100 },
  ]);

  it('have what the account could read before the submission', async () => {
    const files = await archiveOf([machine(1)], layer);
    assert.deepEqual(namesOf(files), ['of-group', 'own', 'twin-2']);
    assert.equal(String(files.get('machines/attempt-1/files/own')), 'mine');
    const all = namesOf(await archiveOf([machine(1, 'root')], layer));
    assert.deepEqual(all, ['closed/readable', 'closed/own', 'of-group', 'of-root', 'own', 'root/readable', 'twin-2']);
  });

  it('are left out beyond so many bytes, which the archive says', async () => {
    const machines = [machine(3), machine(2), machine(1)];
    const files = await archiveOf(machines, layer, maxLayerBytes + 20);
    assert.deepEqual(
      machines.map(({ attempt_id }) => files.has(`machines/attempt-${attempt_id}/paths.txt.gz`)),
      [true, true, false],
    );
    assert.match(String(files.get('README.txt')), /^Left out: machines\/attempt-1, because .* too large/m);
    assert.doesNotMatch(String(files.get('README.txt')), /attempt-[23]/);
  });
});
