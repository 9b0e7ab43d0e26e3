import { NotFoundError, TooManyRequestsError } from '../../errors.ts';
import { type KeptLayer, maxLayerBytes } from '../evidence/layer.ts';
import { filesOfLayer } from '../evidence/layer-files.ts';
import { type DataStore, type OwnMachine, ownData } from './data-store.ts';

export type DataExportParts = {
  store: Pick<DataStore, 'rows' | 'files' | 'recordings' | 'machines' | 'avatarKey'>;
  avatars: { read: (key: string) => Promise<Buffer | undefined> };
  recordings: { read: (key: string) => Promise<{ stream: AsyncIterable<Uint8Array>; bytes: number } | undefined> };
  /** @throws NotFoundError where it is not kept any more */
  machines: { layer: (attemptId: number) => Promise<KeptLayer> };
  /** Writes archives of tar, see packages/ssh/tar.ts. */
  tar: {
    fits: (name: string) => boolean;
    header: (entry: { name: string; bytes: number; modified: Date }) => Buffer;
    padding: (bytes: number) => Buffer;
    end: Buffer;
  };
  maxMachineBytes?: number;
};

/**
 * Bytes of files of machines in an archive: each is decompressed for it, and a download of more than some minutes breaks. Nearly all machines
 * have a few megabytes.
 */
const usualMachineBytes = 1024 * 1024 * 1024;

const readme = (
  leftOut: readonly string[],
): string => `What the learning platform has stored about you. Times are in UTC.

${Object.entries(ownData)
  .map(([name, { about }]) => `${`${name}-N.json`.padEnd(30)}${about}`)
  .join('\n')}
avatar.webp                   your picture
files/                        files that you handed in, by attempt and task
recordings/                   your terminals in exams, for asciinema
machines/                     what your attempts left on their machines: changed files that you could read, by attempt, and in paths.txt.gz the
                              names of all files. Links, and what was written after you submitted, are left out

Not in it: passwords, keys and codes, which nobody can read; checks of tasks; results that are not released; what others wrote to others.
${leftOut.map((line) => `Left out: ${line}\n`).join('')}`;

/**
 * All that belongs to a user as one archive. It is written while it is read, so that nothing of it is stored, and as much is in memory as
 * one part or one handed-in file has.
 */
export class DataExport {
  readonly #parts: DataExportParts;
  readonly #underWay = new Set<number>();

  constructor(parts: DataExportParts) {
    this.#parts = parts;
  }

  /** @throws TooManyRequestsError while another one of the user is being read */
  open(userId: number): AsyncGenerator<Uint8Array> {
    if (this.#underWay.has(userId))
      throw new TooManyRequestsError('too_many_requests', 'Another archive is being downloaded', 30);
    this.#underWay.add(userId);
    return this.#archive(userId);
  }

  /** For a reader who leaves before the first byte: a generator that has not begun has no end. */
  close(userId: number): void {
    this.#underWay.delete(userId);
  }

  async *#archive(userId: number): AsyncGenerator<Uint8Array> {
    const { store, avatars, recordings, tar } = this.#parts;
    const avatarKey = await store.avatarKey(userId);
    const avatar = avatarKey ? await avatars.read(avatarKey) : undefined;
    if (avatar) yield this.#whole('avatar.webp', avatar);
    for (const name of Object.keys(ownData)) {
      let part = 0;
      for await (const rows of store.rows(name, userId)) {
        part += 1;
        yield this.#whole(`${name}-${part}.json`, Buffer.from(`${JSON.stringify(rows, null, 2)}\n`));
      }
    }
    for await (const { name, content } of store.files(userId)) yield this.#whole(name, content);
    let number = 0;
    for (const { attempt_id, key } of await store.recordings(userId)) {
      number += 1;
      const file = await recordings.read(key);
      if (!file) continue;
      yield this.#header(`recordings/attempt-${attempt_id}-${number}.cast`, file.bytes);
      yield* file.stream;
      yield tar.padding(file.bytes);
    }
    const leftOut: string[] = [];
    yield* this.#machines(await store.machines(userId), leftOut);
    yield this.#whole('README.txt', Buffer.from(readme(leftOut)));
    yield tar.end;
  }

  #header(name: string, bytes: number): Buffer {
    return this.#parts.tar.header({ name, bytes, modified: new Date() });
  }

  #whole(name: string, content: Buffer): Buffer {
    return Buffer.concat([this.#header(name, content.length), content, this.#parts.tar.padding(content.length)]);
  }

  /** @param leftOut gets what is not in the archive */
  async *#machines(machines: readonly OwnMachine[], leftOut: string[]): AsyncGenerator<Uint8Array> {
    const { machines: kept, tar, maxMachineBytes = usualMachineBytes } = this.#parts;
    let bytes = 0;
    for (const machine of machines) {
      const folder = `machines/attempt-${machine.attempt_id}`;
      if (bytes + maxLayerBytes > maxMachineBytes) {
        leftOut.push(`${folder}, because the archive would be too large. Ask your teacher for it.`);
        continue;
      }
      const opened = await open(kept.layer(machine.attempt_id));
      if (!opened) continue;
      let tooLong = 0;
      for await (const file of filesOfLayer(opened.layer, machine)) {
        const name = `${folder}/files/${file.path}`;
        if (!tar.fits(name)) {
          tooLong += 1;
          for await (const _part of file.content);
          continue;
        }
        bytes += file.bytes;
        yield tar.header({ name, bytes: file.bytes, modified: file.modified });
        yield* file.content;
        yield tar.padding(file.bytes);
      }
      yield this.#whole(`${folder}/paths.txt.gz`, opened.paths);
      if (tooLong > 0) leftOut.push(`${folder}: files whose names are too long for the archive: ${tooLong}.`);
    }
  }
}

/** The list is short. @returns undefined where they are not kept any more */
async function open(layer: Promise<KeptLayer>) {
  try {
    const kept = await layer;
    const paths: Uint8Array[] = [];
    for await (const part of await kept.paths.read()) paths.push(part);
    return { paths: Buffer.concat(paths), layer: await kept.layer.read() };
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}
