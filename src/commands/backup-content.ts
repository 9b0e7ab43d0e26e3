import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { ArchiveEntry, Checksums } from '../adapters/disk/archive.ts';
import type { LoadedContent } from '../database/backup/load.ts';
import type { Snapshot } from '../database/backup/snapshot.ts';
import { avatarPath } from '../features/profile/avatar-files.ts';
import { recordingPath } from '../features/recordings/recording-files.ts';
import { serviceVersion } from '../http/document/service-version.ts';
import type { ObjectStore } from '../ports/object-store.ts';

/** The manifest of a backup. It is the last file in the archive. */
export type Manifest = LoadedContent & {
  format: 1;
  service: string;
  postgresql: string;
  /** ISO 8601, UTC: the time of the snapshot. */
  madeAt: string;
  files: Checksums;
};
type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Names of files that rows refer to. They are in the data folder, or in object storage. */
export const objectForm = /^(?:avatars\/[0-9a-f]{40}\.webp|recordings\/[0-9a-f]{40}\.cast)$/;
export const rowsForm = /^database\/([a-z_]+)\.\d+\.jsonl$/;
/** Files of the data folder that may be absent. */
const keyFiles = ['secret-key', 'lessons/known_hosts'];
export const isKeyFile = (name: string): boolean => keyFiles.includes(name);
const partBytes = 1024 * 1024;

/** Everything in an installation that cannot be recreated: rows, avatars, recordings and the keys that it generated. */
export class BackupContent {
  readonly #snapshot: Snapshot;
  readonly #objects: ObjectStore;
  readonly #dataDir: string;
  readonly #hasKey: boolean;
  readonly #missing = { avatars: [] as string[], recordings: [] as string[] };
  readonly #tables: Mutable<Manifest['tables'][number]>[] = [];
  readonly #madeAt = new Date();

  constructor(snapshot: Snapshot, parts: { objects: ObjectStore; dataDir: string; hasKey: boolean }) {
    this.#snapshot = snapshot;
    [this.#objects, this.#dataDir, this.#hasKey] = [parts.objects, parts.dataDir, parts.hasKey];
  }

  /** Files come first. The sooner they follow the snapshot, the fewer of those it refers to have been deleted. */
  async *entries(): AsyncGenerator<ArchiveEntry> {
    for (const key of await this.#snapshot.avatarKeys()) {
      const entry = await this.#object(avatarPath(key));
      if (entry) yield entry;
      else this.#missing.avatars.push(key);
    }
    for (const key of await this.#snapshot.recordingKeys()) {
      const entry = await this.#object(recordingPath(key));
      if (entry) yield entry;
      else this.#missing.recordings.push(key);
    }
    for (const name of keyFiles) {
      if (name === 'secret-key' && !this.#hasKey) continue;
      const entry = await this.#file(name);
      if (entry) yield entry;
    }
    for (const table of await this.#snapshot.tables()) {
      const counted = { ...table, rows: 0 };
      this.#tables.push(counted);
      yield* this.#rows(counted);
    }
  }

  /** Available once all entries are written. */
  async describe(): Promise<(files: Checksums) => Manifest> {
    const [migrations, postgresql] = [await this.#snapshot.migrations(), await this.#snapshot.serverVersion()];
    const sequences = await this.#snapshot.sequences();
    return (files) => ({
      format: 1,
      service: serviceVersion,
      postgresql,
      madeAt: this.#madeAt.toISOString(),
      migrations,
      tables: this.#tables,
      sequences,
      missing: this.#missing,
      files,
    });
  }

  async *#rows(table: { name: string; rows: number }): AsyncGenerator<ArchiveEntry> {
    let lines: string[] = [];
    let bytes = 0;
    let part = 0;
    const entry = (): ArchiveEntry => {
      const body = Buffer.from(lines.map((line) => `${line}\n`).join(''));
      part += 1;
      const name = `database/${table.name}.${`${part}`.padStart(6, '0')}.jsonl`;
      [lines, bytes] = [[], 0];
      return { name, bytes: body.length, modified: this.#madeAt, body: once(body) };
    };
    for await (const some of this.#snapshot.rows(table.name)) {
      table.rows += some.length;
      for (const line of some) {
        lines.push(line);
        bytes += line.length;
        if (bytes >= partBytes) yield entry();
      }
    }
    if (lines.length > 0) yield entry();
  }

  /** A recording may grow while it is read. It is archived at the length that it has now. */
  async #object(name: string): Promise<ArchiveEntry | undefined> {
    const found = await this.#objects.status(name);
    if (!found) return undefined;
    const { bytes, changedAt } = found;
    if (bytes === 0) return { name, bytes, modified: changedAt, body: once(Buffer.alloc(0)) };
    const opened = await this.#objects.open(name, { start: 0, end: bytes - 1 });
    return opened && { name, bytes, modified: changedAt, body: opened.stream };
  }

  async #file(name: string): Promise<ArchiveEntry | undefined> {
    const file = await open(join(this.#dataDir, name), 'r').catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (!file) return undefined;
    const { size, mtime } = await file.stat();
    if (size > 0)
      return { name, bytes: size, modified: mtime, body: file.createReadStream({ start: 0, end: size - 1 }) };
    await file.close();
    return { name, bytes: 0, modified: mtime, body: once(Buffer.alloc(0)) };
  }
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
