import { NotFoundError } from '../../errors.ts';
import type { LessonVersion } from '../lesson-repositories/lesson-source.ts';
import type { LessonRepositories } from '../lesson-repositories/repositories.ts';
import type { CatalogueView } from '../lessons/catalogue.ts';
import type { LessonService } from '../lessons/service.ts';
import type { LessonText, LessonTextStore } from './text-store.ts';

export type LessonIndexParts = {
  store: LessonTextStore;
  lessons: Pick<LessonService, 'viewOf'>;
  repositories: Pick<LessonRepositories, 'open'>;
  /** Runs it unless another process does. @returns whether it ran */
  alone: (work: () => Promise<void>) => Promise<boolean>;
  /** Characters of a lesson. */
  max: number;
};

type LessonPlace = ReturnType<CatalogueView['sourceOf']>;
type Place = { id: number; path: string };
type Repository = { version: LessonVersion; places: Place[] };

/** Changed with `searchText`, so that all texts are read again. */
const format = 2;
/** Texts in memory and in one statement. */
const batch = 20;
/** Sees all themes. */
const everything = { id: 0, role: 'admin' };

const keyOf = (place: LessonPlace): string =>
  place === 'written' ? 'written' : place ? `${place.url}\n${place.branch ?? ''}` : '';

/**
 * Keeps the texts of the search up to date. Each process compares the catalogue and the commits with those of its last round, which takes no
 * statement. After a change, one process reads the files that are different from the known ones.
 */
export class LessonIndex {
  readonly #parts: LessonIndexParts;
  #view: CatalogueView | undefined;
  /** Of the last round: the commit of each repository, and the path of each theme that is known to be up to date. */
  #commits = new Map<string, string | null>();
  #paths = new Map<number, string>();

  constructor(parts: LessonIndexParts) {
    this.#parts = parts;
  }

  /** @throws UnavailableError while a repository cannot be read; the texts of the others are up to date then */
  async update(): Promise<void> {
    const view = await this.#parts.lessons.viewOf(everything);
    const problems: unknown[] = [];
    const repositories = new Map<string, Repository>();
    for (const [key, { address, places }] of placesIn(view)) {
      try {
        repositories.set(key, { version: await this.#parts.repositories.open(address), places });
      } catch (error) {
        problems.push(error);
      }
    }
    const isCurrent = [...repositories].every(([key, { version }]) => this.#commits.get(key) === version.commit);
    if (view !== this.#view || !isCurrent) {
      await this.#parts.alone(async () => {
        await this.#updateAll(repositories);
        this.#commits = new Map([...repositories].map(([key, { version }]) => [key, version.commit]));
        // A repository that could not be read is compared in the next round.
        this.#view = problems.length === 0 ? view : undefined;
      });
    }
    if (problems.length > 0) throw problems[0];
  }

  async #updateAll(repositories: ReadonlyMap<string, Repository>): Promise<void> {
    const sources = await this.#parts.store.sources();
    const paths = new Map<number, string>();
    let texts: LessonText[] = [];
    for (const [key, { version, places }] of repositories) {
      const isSame = this.#commits.get(key) === version.commit;
      for (const { id, path } of places) {
        const place = `${key}\n${path}`;
        paths.set(id, place);
        const known = sources.get(id);
        // A deleted theme, or a new one that the catalogue has before this round's statement, is of another round.
        if (known === undefined) paths.delete(id);
        if (known === undefined || (isSame && this.#paths.get(id) === place)) continue;
        const text = await this.#read(version, id, path, known);
        if (text) texts.push(text);
        if (texts.length < batch) continue;
        await this.#parts.store.write(texts);
        texts = [];
      }
    }
    if (texts.length > 0) await this.#parts.store.write(texts);
    this.#paths = paths;
  }

  /** @returns undefined where the known text is that of the file */
  async #read(version: LessonVersion, theme_id: number, path: string, known: string): Promise<LessonText | undefined> {
    const { max } = this.#parts;
    try {
      const source = `${format} ${max} ${await version.identify(path)}`;
      if (source === known) return undefined;
      const { bytes } = await version.read(path);
      // A character has four bytes at most.
      const text = new TextDecoder().decode(bytes.subarray(0, 4 * max));
      return { theme_id, source, body: searchText(text, max) };
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      return known === '' ? undefined : { theme_id, source: '', body: '' };
    }
  }
}

/** The themes of each repository. */
function placesIn(view: CatalogueView): Map<string, { address: LessonPlace; places: Place[] }> {
  const repositories = new Map<string, { address: LessonPlace; places: Place[] }>();
  for (const { row, sections } of view.courses) {
    for (const theme of sections.flatMap(({ themes }) => themes)) {
      const address = view.sourceOf(theme, row.id);
      const key = keyOf(address);
      const known = repositories.get(key) ?? { address, places: [] };
      known.places.push({ id: theme.id, path: theme.markdown_file_path });
      repositories.set(key, known);
    }
  }
  return repositories;
}

/** Front matter that is longer is searched as text. */
const maxFrontMatter = 64 * 1024;

/** Of a text that is normalized part by part, because the time for one can grow with the square of its length. */
const pieces = /\S{1,500}/gu;

/**
 * The text of a Markdown file as the search stores and shows it, on one line. Code is kept as it is, because commands are what readers look
 * for. The running time is proportional to the length.
 * @param max characters of the file that are read
 */
export function searchText(markdown: string, max: number): string {
  let fence = '';
  const lines = withoutFrontMatter(markdown.slice(0, max))
    .split('\n')
    .map((line) => {
      const mark = /^[ \t>]*(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
      if (fence === '' && mark !== '') fence = mark;
      else if (fence !== '' && mark.startsWith(fence)) fence = '';
      else return fence === '' ? lineText(line) : line;
      return '';
    });
  return lines
    .join('\n')
    .replace(/[\p{Cc}\p{Cs}\s]+/gu, ' ')
    .replace(pieces, (piece) => piece.normalize('NFC'))
    .trim();
}

/** A line outside of a block of code. Cells of a table are separated by commas. */
function lineText(line: string): string {
  if (/^[ \t>]*\|[ \t|:-]*$/.test(line)) return '';
  const isRow = /^[ \t>]*\|/.test(line);
  const start = line.replace(/^[ \t>]+/, '').replace(/^(?:#{1,6}|[-*+])[ \t]+(?:\[[ x]\][ \t]+)?/, '');
  const text = start.replace(/^\[![a-z]+\]/i, '').replace(/^\|/, '');
  // A code span has an odd index. Its first and last marks are those that the pattern split at.
  const parts = text.replace(/\|[ \t]*$/, isRow ? '' : '$&').split('`');
  return parts.map((part, index) => (index % 2 === 1 ? part : proseText(part, isRow))).join('');
}

const proseText = (text: string, isRow: boolean): string =>
  text
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/<\/?[a-z][^<>]*>|<!--|-->/gi, ' ')
    .replace(/\*\*|~~/g, '')
    .replace(/(^|[\s("'])[*_]([^\s*_](?:[^*_]*[^\s*_])?)[*_](?=$|[\s)"'.,;:!?])/g, '$1$2')
    // Only from the beginning of blanks: from each of them it would look for the end of all.
    .replace(/(?<![ \t])[ \t]*\|[ \t]*/g, isRow ? ', ' : '$&');

function withoutFrontMatter(text: string): string {
  const plain = text.replace(/^\uFEFF/, '');
  if (!/^---[ \t]*\r?\n/.test(plain)) return plain;
  const end = /\n(?:---|\.\.\.)[ \t]*\r?\n/.exec(plain.slice(0, maxFrontMatter));
  return end ? plain.slice(end.index + end[0].length) : plain;
}
