import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { parseTarHeader, type TarEntry, tarEnd, tarHeader, tarPadding } from '../../../packages/ssh/tar.ts';

export type ArchiveEntry = TarEntry & { body: AsyncIterable<Buffer> };
/** Size and checksum of each file in an archive. */
export type Checksums = Record<string, { bytes: number; sha256: string }>;

export const manifestName = 'manifest.json';

/**
 * Writes a tar archive, compressed with gzip, readable by its owner only. It is written to a temporary name and renamed when
 * complete.
 * @param entries processed one at a time; at most a part of one is in memory
 * @param manifest receives the checksums of all files and returns the last file
 * @throws Error if the file exists or the disk is full; nothing is left then
 */
export async function writeArchive(
  path: string,
  {
    entries,
    manifest,
    signal,
  }: { entries: AsyncIterable<ArchiveEntry>; manifest: (checksums: Checksums) => unknown; signal?: AbortSignal },
): Promise<void> {
  if (await isThere(path)) throw new Error(`${path} already exists`);
  const draft = `${path}.${randomBytes(6).toString('hex')}.partial`;
  try {
    await using file = await open(draft, 'wx', 0o600);
    const sink = async (chunks: AsyncIterable<Buffer>): Promise<void> => {
      for await (const chunk of chunks) await file.writeFile(chunk);
    };
    await pipeline(tarOf(entries, manifest), createGzip({ level: 5 }), sink, signal ? { signal } : {});
    await file.sync();
    await file.close();
    await rename(draft, path);
    await using folder = await open(dirname(path), 'r');
    await folder.sync();
  } catch (error) {
    await rm(draft, { force: true });
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOSPC')
      throw new Error(`The disk of ${dirname(path)} is full: nothing was written`, { cause: error });
    throw error;
  }
}

async function* tarOf(
  entries: AsyncIterable<ArchiveEntry>,
  manifest: (checksums: Checksums) => unknown,
): AsyncGenerator<Buffer> {
  const checksums: Checksums = {};
  for await (const { body, ...entry } of entries) {
    yield tarHeader(entry);
    const hash = createHash('sha256');
    let written = 0;
    for await (const chunk of body) {
      hash.update(chunk);
      written += chunk.length;
      yield chunk;
    }
    if (written !== entry.bytes) throw new Error(`${entry.name} changed while it was read`);
    yield tarPadding(written);
    checksums[entry.name] = { bytes: written, sha256: hash.digest('hex') };
  }
  const last = Buffer.from(`${JSON.stringify(manifest(checksums), null, 1)}\n`);
  yield tarHeader({ name: manifestName, bytes: last.length, modified: new Date() });
  yield last;
  yield tarPadding(last.length);
  yield tarEnd;
}

/** Reads an archive from its beginning. Unread parts of an entry's body are skipped. @throws Error with the reason */
export async function* readArchive(path: string): AsyncGenerator<ArchiveEntry> {
  const source = createReadStream(path);
  const unzipped = createGunzip();
  // The reader reports an error of either stream.
  const flow = pipeline(source, unzipped).catch(() => undefined);
  source.on('error', (error) => unzipped.destroy(error));
  const reader = new ByteReader(unzipped[Symbol.asyncIterator]() as AsyncIterator<Buffer>, path);
  try {
    for (;;) {
      const entry = parseTarHeader(await reader.exactly(512));
      if (!entry) break;
      const body = reader.body(entry.bytes);
      yield { ...entry, body };
      for await (const _ of body);
      await reader.exactly(tarPadding(entry.bytes).length);
    }
    // Reads to the end, where gzip stores the checksum.
    await reader.drain();
  } catch (error) {
    throw damaged(path, error);
  } finally {
    source.destroy();
    unzipped.destroy();
    await flow;
  }
}

function damaged(path: string, error: unknown): Error {
  if (error instanceof DamagedBackupError) return error;
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
    return new DamagedBackupError(`${path} does not exist`);
  const reason = error instanceof Error ? error.message : String(error);
  return new DamagedBackupError(`${path} is not a backup, or it is damaged: ${reason}`);
}

/** An error whose message names the file. */
class DamagedBackupError extends Error {
  override name = 'DamagedBackupError';
}

/**
 * Reads the whole archive and verifies the checksum of every file.
 * @returns its manifest.
 * @throws Error that names what is wrong
 */
export async function checkArchive<Manifest extends { files: Checksums }>(path: string): Promise<Manifest> {
  const found: Checksums = {};
  let manifestText = '';
  for await (const { name, bytes, body } of readArchive(path)) {
    const hash = createHash('sha256');
    const chunks: Buffer[] = [];
    for await (const chunk of body) {
      hash.update(chunk);
      if (name === manifestName) chunks.push(chunk);
    }
    if (name === manifestName) manifestText = Buffer.concat(chunks).toString();
    else found[name] = { bytes, sha256: hash.digest('hex') };
  }
  const manifest = parseManifest<Manifest>(path, manifestText);
  const told = manifest.files;
  const names = new Set([...Object.keys(found), ...Object.keys(told)]);
  const wrong = [...names].filter((name) => found[name]?.sha256 !== told[name]?.sha256);
  if (wrong.length > 0)
    throw new Error(`${path} is damaged: ${wrong.slice(0, 5).join(', ')} does not match its checksum`);
  return manifest;
}

/** Parsed after the whole archive was read: only then has gzip compared its checksum. */
function parseManifest<Manifest extends { files: Checksums }>(path: string, text: string): Manifest {
  let manifest: Partial<Manifest> | null;
  try {
    manifest = text === '' ? null : JSON.parse(text);
  } catch (error) {
    throw damaged(path, error);
  }
  if (!manifest?.files) throw damaged(path, 'it has no manifest');
  return manifest as Manifest;
}

/** Reads an exact number of bytes from a stream. */
class ByteReader {
  readonly #source: AsyncIterator<Buffer>;
  readonly #path: string;
  #rest: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterator<Buffer>, path: string) {
    this.#source = source;
    this.#path = path;
  }

  async *body(bytes: number): AsyncGenerator<Buffer> {
    for (let left = bytes; left > 0; ) {
      const chunk = await this.#next(left);
      left -= chunk.length;
      yield chunk;
    }
  }

  async exactly(bytes: number): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for await (const chunk of this.body(bytes)) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  async drain(): Promise<void> {
    while (!(await this.#source.next()).done);
  }

  async #next(most: number): Promise<Buffer> {
    while (this.#rest.length === 0) {
      // A reader of a body also gets an error that names the damaged file.
      const { value, done } = await this.#source.next().catch((error: unknown) => {
        throw damaged(this.#path, error);
      });
      if (done) throw damaged(this.#path, 'it ends too early');
      this.#rest = value;
    }
    const chunk = this.#rest.subarray(0, most);
    this.#rest = this.#rest.subarray(chunk.length);
    return chunk;
  }
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
