import { hash } from 'node:crypto';
import type { Static } from 'typebox';
import { ConflictError, found, InvalidError, NotFoundError, ServiceError } from '../../errors.ts';
import type { Page } from '../../http/lists/paging.ts';
import { type CodedProblem, codedItem } from '../../values/coded-problem.ts';
import { courseFolder } from '../../values/course-folder.ts';
import { mediaTypeOf } from '../../values/media-types.ts';
import type { LessonRepositories } from '../lesson-repositories/repositories.ts';
import type { CatalogueView } from '../lessons/catalogue.ts';
import { freePath, isText, lessonPathProblemOf, writtenPathProblem } from '../lessons/lesson-path.ts';
import { referencedFiles } from '../lessons/references.ts';
import type { LessonService } from '../lessons/service.ts';
import type { HistoryEntry, WrittenFilter, WrittenListStore } from './list-store.ts';
import type { WrittenFileSchema } from './schema.ts';
import type { WrittenSource } from './source.ts';
import type { CopiedFile, StoredContent, WrittenFile, WrittenStore } from './store.ts';

/** Who writes: an administrator, or one of the staff of a course, who sees and changes what belongs to it. */
export type Writer = { id: number; role: string; courseId?: number | undefined };
/** A lesson that has a file. */
export type LessonOfFile = { theme_id: number; title: string; course: string };
export type ShownFile = Static<typeof WrittenFileSchema>;
export type ShownText = ShownFile & { text: string | null };
export type TextChange = {
  path?: string | undefined;
  text?: string | undefined;
  message?: string | undefined;
  revision?: number | undefined;
};

export type WrittenParts = {
  store: WrittenStore;
  list: WrittenListStore;
  source: WrittenSource;
  lessons: LessonService;
  repositories: LessonRepositories;
  /** Creates a Git bundle from the input of `git fast-import`. @throws UnavailableError */
  bundle: (history: AsyncIterable<Uint8Array>) => Promise<AsyncIterable<Uint8Array>>;
  /** Bytes of one file. */
  maxFileBytes: number;
};

/** Files that are copied with one lesson. */
const maxCopied = 100;

/** The files of lessons that administrators and the staff of courses write in the pages. */
export class WrittenService {
  readonly #parts: WrittenParts;

  constructor(parts: WrittenParts) {
    this.#parts = parts;
  }

  get maxFileBytes(): number {
    return this.#parts.maxFileBytes;
  }

  async files(
    caller: Writer,
    filter: Omit<WrittenFilter, 'courseId'>,
    page: Page,
  ): Promise<{ rows: ShownFile[]; total: number }> {
    const [{ rows, total }, view] = await Promise.all([
      this.#parts.list.list({ ...filter, courseId: caller.courseId }, page),
      viewFor(this.#parts.lessons, caller),
    ]);
    const lessons = lessonsByFile(view, 'written', caller.courseId);
    return { rows: rows.map((row) => shown(row, lessons)), total };
  }

  /** A file with its text; one that is no text, or was deleted, without. @throws NotFoundError */
  async file(caller: Writer, id: number): Promise<ShownText> {
    const file = found(await this.#parts.store.byId(id), 'Lesson file');
    const lessons = lessonsByFile(await viewFor(this.#parts.lessons, caller), 'written', caller.courseId);
    return { ...shown(file, lessons), text: await this.#textOf(file) };
  }

  /** @throws InvalidError for a path that cannot be used; ServiceError 413; ConflictError */
  async create(caller: Writer, { path, text, message = '' }: TextChange & { path: string; text: string }) {
    const { store } = this.#parts;
    const whole = inFolder(caller, path);
    checkTextPath(whole);
    const file = await store.create(caller.id, whole, this.#bytesOf(text), message);
    return await this.#changed(caller, file);
  }

  /** @throws NotFoundError, ConflictError; InvalidError and ServiceError as of create */
  async change(
    caller: Writer,
    id: number,
    { text, path: given, message = '', revision }: TextChange,
  ): Promise<ShownText> {
    const { store } = this.#parts;
    const before = found(await store.byId(id), 'Lesson file');
    const path = given === undefined || given === before.path ? given : inFolder(caller, given);
    if (path !== undefined && isText(before.path)) checkTextPath(path);
    else if (path !== undefined) checkFilePath(path, before.path);
    if (text !== undefined && !isText(before.path)) throw invalid('text', lessonPathProblemOf('file_not_text'));
    const content = text === undefined ? undefined : this.#bytesOf(text);
    const change = { ...optional({ path, content, revision }), message };
    const isMoved = path !== undefined && path !== before.path;
    return await this.#changed(caller, await store.change(caller.id, id, change), isMoved);
  }

  /** @throws NotFoundError; ConflictError while lessons have the file */
  async delete(caller: Writer, id: number): Promise<void> {
    if (await this.#parts.store.delete(caller.id, id)) this.#parts.source.forget();
  }

  /** @throws NotFoundError, ConflictError */
  async restore(caller: Writer, id: number, revision: number): Promise<ShownText> {
    return await this.#changed(caller, await this.#parts.store.restore(caller.id, id, revision));
  }

  /** Newest first. @throws NotFoundError */
  async revisions(id: number, page: Page) {
    found(await this.#parts.store.byId(id), 'Lesson file');
    return await this.#parts.list.revisions(id, page);
  }

  /** @throws NotFoundError */
  async revision(id: number, revision: number) {
    const row = found(await this.#parts.list.revision(id, revision), 'Revision');
    const { digest: _digest, ...fields } = row;
    return { ...fields, text: await this.#textOf(row) };
  }

  /**
   * Stores a picture at a path that has its name and depends on its content, unless it is there already.
   * @throws ServiceError 413, and 415 for a file that is no picture; ConflictError
   */
  async addPicture(caller: Writer, name: string, content: Buffer): Promise<ShownFile> {
    const { store } = this.#parts;
    if (content.length > this.#parts.maxFileBytes) throw this.#tooLarge();
    const ending = pictureEnding(content);
    if (ending === undefined)
      throw new ServiceError(415, 'not_a_picture', 'The file is not a PNG, JPEG, WebP or GIF picture');
    const path = inFolder(caller, picturePath(name, content, ending));
    const there = await store.at(path);
    return await this.#changed(caller, there ?? (await store.create(caller.id, path, content, '')));
  }

  /** A picture, a PDF or a plain text. For the staff of a course one of its folder. @throws NotFoundError */
  async content(caller: Writer, path: string): Promise<{ id: string; mediaType: string; read: () => Promise<Buffer> }> {
    const version = await this.#parts.source.open();
    const mediaType = mediaTypeOf(path);
    if (mediaType === undefined || inFolder(caller, path) !== path)
      throw new NotFoundError('lesson_file_not_found', 'Lesson file not found');
    const id = await version.identify(path);
    return { id, mediaType, read: async () => (await version.read(path)).bytes };
  }

  /**
   * From now on, the text of a lesson is written in the pages. It begins with the text that the lesson has, and the files that this refers
   * to, under the same paths; those of a course in its folder. A lesson without a text begins with its title.
   * @throws NotFoundError, ConflictError; UnavailableError if the repository of the lesson cannot be read
   */
  async adopt(caller: Writer, themeId: number): Promise<ShownText> {
    const { store, lessons, repositories, source } = this.#parts;
    const view = await viewFor(lessons, caller);
    const { theme, courseId } = found(view.place(themeId), 'Theme');
    const there = theme.is_written ? await store.at(theme.markdown_file_path) : undefined;
    if (there && inFolder(caller, there.path) === there.path) return await this.file(caller, there.id);
    const version = await repositories.open(view.sourceOf(theme, courseId));
    const read = async (path: string): Promise<CopiedFile | undefined> => {
      try {
        return { path, content: (await version.read(path)).bytes };
      } catch (error) {
        if (error instanceof NotFoundError) return undefined;
        throw error;
      }
    };
    const { markdown_file_path: given, title } = theme;
    const isUsable = isText(given) && writtenPathProblem(given) === undefined;
    const own = await source.open();
    const isMissing = async (path: string): Promise<boolean> => (await own.missing([path])).length > 0;
    let path = inFolder(caller, isUsable ? given : `${theme.slug}.md`);
    if (!(await isMissing(path))) {
      const taken = new Set(await own.files(Number.MAX_SAFE_INTEGER));
      path = freePath(path, (one) => taken.has(one));
    }
    const content = (await read(given))?.content ?? Buffer.from(`# ${title}\n`);
    const wanted = [...referencedFiles(content.toString(), given)].filter(
      (one) => mediaTypeOf(one) !== undefined && writtenPathProblem(one) === undefined,
    );
    if (wanted.length > maxCopied)
      throw new ConflictError('files_full', `The lesson refers to more than ${maxCopied} files`);
    const files: CopiedFile[] = [];
    for (const one of isUsable ? wanted : []) {
      const file = await read(one);
      // The folder of a course has the same tree, so that the text refers to them as before.
      if (file) files.push({ ...file, path: inFolder(caller, one) });
    }
    return await this.#changed(caller, await store.adopt(caller.id, theme, { path, content }, files), true);
  }

  /** A Git bundle of all files with their history. @throws NotFoundError without any; UnavailableError */
  async bundle({ courseId }: Writer): Promise<AsyncIterable<Uint8Array>> {
    const { list, store, bundle } = this.#parts;
    if (!(await list.hasHistory(courseId))) throw new NotFoundError('not_found', 'There are no written lessons yet');
    return await bundle(fastImport(list.history(courseId), (content) => store.read(content)));
  }

  /** @param hasLessons whether rows of lessons have changed as well */
  async #changed(caller: Writer, file: WrittenFile, hasLessons = false): Promise<ShownText> {
    this.#parts.source.forget();
    if (hasLessons) this.#parts.lessons.forget();
    return await this.file(caller, file.id);
  }

  async #textOf({ path, digest, bytes }: Pick<WrittenFile, 'path' | 'digest' | 'bytes'>): Promise<string | null> {
    if (digest === null || !isText(path)) return null;
    const parts: Buffer[] = [];
    for await (const part of this.#parts.store.read({ digest, bytes })) parts.push(part);
    return new TextDecoder().decode(Buffer.concat(parts));
  }

  #bytesOf(text: string): Buffer {
    const bytes = Buffer.from(text);
    if (bytes.length > this.#parts.maxFileBytes) throw this.#tooLarge();
    return bytes;
  }

  #tooLarge(): ServiceError {
    return new ServiceError(413, 'file_too_large', `The file has more than ${this.#parts.maxFileBytes} bytes`);
  }
}

/** What the staff of a course see of it, drafts included, is what administrators see. */
export const viewFor = async (lessons: LessonService, { id, role, courseId }: Writer): Promise<CatalogueView> =>
  await lessons.viewOf({ id, role: courseId === undefined ? role : 'admin' });

/** The files of a course that its staff write are in a folder of its own. */
function inFolder({ courseId }: Writer, path: string): string {
  if (courseId === undefined) return path;
  const folder = courseFolder(courseId);
  return path.startsWith(folder) ? path : `${folder}${path}`;
}

/** The lessons of one place, or of one course in it, by the paths of their files. */
export function lessonsByFile(
  view: CatalogueView,
  place: Parameters<CatalogueView['themesByFile']>[0],
  courseId?: number,
): (path: string) => LessonOfFile[] {
  const themes = view.themesByFile(place);
  const isWanted = ({ course }: { course: { id: number } }): boolean =>
    courseId === undefined || course.id === courseId;
  return (path) =>
    (themes.get(path) ?? []).filter(isWanted).map(({ theme, course }) => ({
      ...{ theme_id: theme.id, title: theme.title },
      course: course.name,
    }));
}

const shown = ({ digest, ...file }: WrittenFile, lessons: (path: string) => LessonOfFile[]): ShownFile => ({
  ...file,
  is_deleted: digest === null,
  is_text: isText(file.path),
  lessons: lessons(file.path),
});

const optional = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Key in keyof T]?: Exclude<T[Key], undefined>;
  };

const invalid = (field: string, problem: CodedProblem): InvalidError =>
  new InvalidError([codedItem(['body', field], problem)]);

/** @throws InvalidError */
function checkTextPath(path: string): void {
  const problem = writtenPathProblem(path) ?? (isText(path) ? undefined : lessonPathProblemOf('text_path_ending'));
  if (problem !== undefined) throw invalid('path', problem);
}

/** A renamed file stays what it is. @throws InvalidError */
function checkFilePath(path: string, before: string): void {
  const isSame = mediaTypeOf(path) === mediaTypeOf(before);
  const problem = writtenPathProblem(path) ?? (isSame ? undefined : lessonPathProblemOf('path_ending_changed'));
  if (problem !== undefined) throw invalid('path', problem);
}

/**
 * The history of all files as `git fast-import` reads it: one commit for each change, on the branch `main`. Authors are named, without
 * their addresses.
 */
async function* fastImport(
  history: AsyncIterable<HistoryEntry>,
  read: (content: StoredContent) => AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  /** By digest. */
  const marks = new Map<string, number>();
  for await (const { path, previous_path, digest, bytes, message, author, created_at } of history) {
    if (digest !== null && !marks.has(digest)) {
      marks.set(digest, marks.size + 1);
      yield Buffer.from(`blob\nmark :${marks.size}\ndata ${bytes}\n`);
      yield* read({ digest, bytes });
      yield Buffer.from('\n');
    }
    const text = Buffer.from(`${message || verbOf({ path, previous_path, digest })}\n`);
    const time = `${nameOf(author)} <> ${Math.floor(created_at.getTime() / 1000)} +0000`;
    yield Buffer.from(`commit refs/heads/main\nauthor ${time}\ncommitter ${time}\ndata ${text.length}\n`);
    yield text;
    const isGone = previous_path !== null && (digest === null || previous_path !== path);
    if (isGone) yield Buffer.from(`D ${quoted(previous_path)}\n`);
    if (digest !== null) yield Buffer.from(`M 100644 :${marks.get(digest)} ${quoted(path)}\n`);
    yield Buffer.from('\n');
  }
}

function verbOf({ path, previous_path, digest }: Pick<HistoryEntry, 'path' | 'previous_path' | 'digest'>): string {
  if (digest === null) return `Delete ${path}`;
  if (previous_path === null) return `Add ${path}`;
  return previous_path === path ? `Change ${path}` : `Rename ${previous_path} to ${path}`;
}

/** Git separates the fields of an author by these. */
const nameOf = (author: string | null): string =>
  (author ?? 'Unknown').replace(/[<>\p{Cc}]/gu, ' ').trim() || 'Unknown';

const quoted = (path: string): string => `"${path.replace(/["\\]/g, String.raw`\$&`)}"`;

/** The magic bytes of each format, and how names of such files end. */
const pictureFormats: readonly [string, (bytes: Buffer) => boolean][] = [
  ['.png', (bytes) => bytes.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n'],
  ['.jpg', (bytes) => bytes.toString('latin1', 0, 3) === '\xff\xd8\xff'],
  ['.gif', (bytes) => /^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))],
  ['.webp', (bytes) => /^RIFF.{4}WEBP$/s.test(bytes.toString('latin1', 0, 12))],
];
const maxPictureName = 60;

/** How the name of a picture ends, by its content. Undefined for a file that is none. */
const pictureEnding = (bytes: Buffer): string | undefined => pictureFormats.find(([, isOf]) => isOf(bytes))?.[0];

/** Where a picture is stored. Another content has another path, so that pictures of the same name stay apart. */
function picturePath(name: string, bytes: Buffer, ending: string): string {
  const words =
    name
      .replace(/\.[^.]*$/, '')
      .slice(0, 4 * maxPictureName)
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const stem = words.join('-').slice(0, maxPictureName) || 'picture';
  return `pictures/${stem}-${hash('sha256', bytes).slice(0, 8)}${ending}`;
}
