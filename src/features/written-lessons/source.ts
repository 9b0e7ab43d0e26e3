import { LRUCache } from 'lru-cache';
import { RowCache } from '../../database/processes/cache.ts';
import type { ChangeFeed } from '../../database/processes/change-feed.ts';
import { NotFoundError } from '../../errors.ts';
import type { LessonFile, LessonSource, LessonVersion } from '../lesson-repositories/lesson-source.ts';
import type { WrittenListStore } from './list-store.ts';
import type { StoredContent, WrittenStore } from './store.ts';

type Contents = Pick<WrittenStore, 'read'>;

/** The memory for recently read files, in bytes. */
const cacheBytes = 4 * 1024 * 1024;

/** The lessons that are written in the pages. Each process lists the files once, until one of them changes. */
export class WrittenSource implements Pick<LessonSource, 'open'> {
  readonly #list: WrittenListStore;
  readonly #contents: Contents;
  readonly #maxFileBytes: number;
  readonly #cache: RowCache<'all', LessonVersion>;
  /** By their digests. */
  readonly #bytes = new LRUCache<string, Buffer>({ maxSize: cacheBytes, sizeCalculation: ({ length }) => length + 1 });

  constructor(parts: { list: WrittenListStore; contents: Contents; feed: ChangeFeed; maxFileBytes: number }) {
    const { list, contents, feed, maxFileBytes } = parts;
    [this.#list, this.#contents, this.#maxFileBytes] = [list, contents, maxFileBytes];
    this.#cache = new RowCache<'all', LessonVersion>({
      feed,
      channel: 'written_lessons_changed',
      max: 1,
      keyOf: () => undefined,
    });
  }

  async open(): Promise<LessonVersion> {
    return await this.#cache.get('all', async () => {
      const { latest, files } = await this.#list.listing();
      return new WrittenVersion(latest === null ? null : `${latest}`, files, (content) => this.#read(content));
    });
  }

  /** Call this after the commit of a change. */
  forget(): void {
    this.#cache.forget();
  }

  async #read(content: StoredContent): Promise<Buffer> {
    if (content.bytes > this.#maxFileBytes)
      throw new NotFoundError('lesson_file_too_large', 'Lesson file is too large');
    const known = this.#bytes.get(content.digest);
    if (known) return known;
    const parts: Buffer[] = [];
    for await (const part of this.#contents.read(content)) parts.push(part);
    const bytes = Buffer.concat(parts);
    this.#bytes.set(content.digest, bytes);
    return bytes;
  }
}

/** The files at one time. Contents stay, so that a reader can read them afterwards. */
class WrittenVersion implements LessonVersion {
  /** The number of the newest revision. */
  readonly commit: string | null;
  readonly #files: ReadonlyMap<string, StoredContent>;
  readonly #read: (content: StoredContent) => Promise<Buffer>;

  constructor(
    commit: string | null,
    files: ReadonlyMap<string, StoredContent>,
    read: (content: StoredContent) => Promise<Buffer>,
  ) {
    [this.commit, this.#files, this.#read] = [commit, files, read];
  }

  async identify(path: string): Promise<string> {
    return this.#find(path).digest;
  }

  async missing(paths: readonly string[]): Promise<string[]> {
    return [...new Set(paths)].filter((path) => !this.#files.has(path));
  }

  async files(max: number): Promise<string[]> {
    return [...this.#files.keys()].slice(0, max);
  }

  async links(): Promise<string[]> {
    return [];
  }

  async read(path: string): Promise<LessonFile> {
    const content = this.#find(path);
    return { id: content.digest, bytes: await this.#read(content) };
  }

  #find(path: string): StoredContent {
    const content = this.#files.get(path);
    if (!content) throw new NotFoundError('lesson_file_not_found', 'Lesson file not found');
    return content;
  }
}
