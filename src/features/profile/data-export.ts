import { TooManyRequestsError } from '../../errors.ts';
import { type DataStore, ownData } from './data-store.ts';

export type DataExportParts = {
  store: Pick<DataStore, 'rows' | 'files' | 'recordings' | 'avatarKey'>;
  avatars: { read: (key: string) => Promise<Buffer | undefined> };
  recordings: { read: (key: string) => Promise<{ stream: AsyncIterable<Uint8Array>; bytes: number } | undefined> };
  /** Writes archives of tar, see packages/ssh/tar.ts. */
  tar: {
    header: (entry: { name: string; bytes: number; modified: Date }) => Buffer;
    padding: (bytes: number) => Buffer;
    end: Buffer;
  };
};

const readme = `What the learning platform has stored about you. Times are in UTC.

${Object.entries(ownData)
  .map(([name, { about }]) => `${`${name}-N.json`.padEnd(30)}${about}`)
  .join('\n')}
avatar.webp                   your picture
files/                        files that you handed in, by attempt and task
recordings/                   your terminals in exams, for asciinema

Not in it: passwords, keys and codes, which nobody can read; checks of tasks; results that are not released; what others wrote to others.
`;

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
    const entry = (name: string, bytes: number) => tar.header({ name, bytes, modified: new Date() });
    const whole = (name: string, content: Buffer) =>
      Buffer.concat([entry(name, content.length), content, tar.padding(content.length)]);
    yield whole('README.txt', Buffer.from(readme));
    const avatarKey = await store.avatarKey(userId);
    const avatar = avatarKey ? await avatars.read(avatarKey) : undefined;
    if (avatar) yield whole('avatar.webp', avatar);
    for (const name of Object.keys(ownData)) {
      let part = 0;
      for await (const rows of store.rows(name, userId)) {
        part += 1;
        yield whole(`${name}-${part}.json`, Buffer.from(`${JSON.stringify(rows, null, 2)}\n`));
      }
    }
    for await (const { name, content } of store.files(userId)) yield whole(name, content);
    let number = 0;
    for (const { attempt_id, key } of await store.recordings(userId)) {
      number += 1;
      const file = await recordings.read(key);
      if (!file) continue;
      yield entry(`recordings/attempt-${attempt_id}-${number}.cast`, file.bytes);
      yield* file.stream;
      yield tar.padding(file.bytes);
    }
    yield tar.end;
  }
}
