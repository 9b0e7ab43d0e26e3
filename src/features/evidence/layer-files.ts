import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** The number of the account `student` in every image. */
const student = 1000;
/** Of a header of cpio (newc): a magic number and thirteen numbers of eight hexadecimal digits. */
const headerBytes = 110;
const [typeBits, folderType, fileType] = [0o170000, 0o040000, 0o100000];
/** Folders of the images that only root can enter. Others that are private and have changed are in the layer. */
const privateFolders = ['root'];

export type LayerFile = { path: string; bytes: number; modified: Date; content: AsyncGenerator<Buffer> };
type Reader = { account: 'student' | 'root'; submitted_at: Date | null };
type Entry = Record<'mode' | 'uid' | 'gid' | 'mtime' | 'bytes', number>;

/**
 * The files of a layer that its student could read on the machine when the attempt was submitted, without links. What only root could read
 * can have expected values of checks; what checks wrote came later. The content of each is read before the next file.
 */
export async function* filesOfLayer(layer: AsyncIterable<Uint8Array>, reader: Reader): AsyncGenerator<LayerFile> {
  const gunzip = createGunzip();
  // A failure of the layer is one of the read as well.
  pipeline(layer, gunzip, () => undefined);
  const bytes = new Bytes(gunzip);
  const isClosed = new Set(reader.account === 'root' ? [] : privateFolders);
  const mayUse = ({ mode, uid, gid }: Entry, bit: number): boolean =>
    reader.account === 'root' || uid === student || ((gid === student ? mode >> 3 : mode) & bit) !== 0;
  const wasThere = ({ uid, mtime }: Entry): boolean =>
    uid === student || reader.submitted_at === null || (mtime + 1) * 1000 <= reader.submitted_at.getTime();
  try {
    for (;;) {
      const header = (await bytes.read(headerBytes)).toString('latin1');
      const number = (index: number): number => Number.parseInt(header.slice(6 + 8 * index, 14 + 8 * index), 16);
      const [mode, uid, gid, links, mtime, size, nameBytes] = [1, 2, 3, 4, 5, 6, 11].map(number) as [
        ...[number, number, number, number, number, number, number],
      ];
      const name = (await bytes.read(padded(headerBytes + nameBytes) - headerBytes)).toString('utf8', 0, nameBytes - 1);
      if (name === 'TRAILER!!!') return;
      const path = name.replace(/^\.\//, '');
      const entry = { mode, uid, gid, mtime, bytes: size };
      if ((mode & typeBits) === folderType && !mayUse(entry, 1)) isClosed.add(path);
      // Of a file with several names, the last one has the content.
      const isFile = (mode & typeBits) === fileType && (links === 1 || size > 0);
      const content = bytes.parts(size);
      if (isFile && mayUse(entry, 4) && wasThere(entry) && !foldersOf(path).some((folder) => isClosed.has(folder)))
        yield { path, bytes: size, modified: new Date(mtime * 1000), content };
      else for await (const _part of content);
      await bytes.read(padded(size) - size);
    }
  } finally {
    gunzip.destroy();
  }
}

const padded = (bytes: number): number => Math.ceil(bytes / 4) * 4;

/** `a/b/c` is in `a/b` and `a`. */
function foldersOf(path: string): string[] {
  const names = path.split('/');
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'));
}

/** Reads so many bytes of a stream at a time. */
class Bytes {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(stream: AsyncIterable<Buffer>) {
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  async read(count: number): Promise<Buffer> {
    while (this.#rest.length < count) this.#rest = Buffer.concat([this.#rest, await this.#next()]);
    return this.#take(count);
  }

  async *parts(count: number): AsyncGenerator<Buffer> {
    for (let left = count; left > 0; ) {
      if (this.#rest.length === 0) this.#rest = await this.#next();
      const part = this.#take(left);
      left -= part.length;
      yield part;
    }
  }

  #take(count: number): Buffer {
    const part = this.#rest.subarray(0, count);
    this.#rest = this.#rest.subarray(count);
    return part;
  }

  async #next(): Promise<Buffer> {
    const { value, done } = await this.#chunks.next();
    if (done) throw new Error('the layer ends too early');
    return value;
  }
}
