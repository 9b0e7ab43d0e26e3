import { ConcurrencyLimiter } from '../../../packages/limits/concurrency-limiter.ts';
import type { AttemptKind } from '../../database/tables.ts';
import { overloaded } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import type { AssessmentService } from '../assessments/service.ts';
import type { InstructorService } from '../instructors/service.ts';
import type { CatalogueView } from '../lessons/catalogue.ts';
import type { Openings } from '../lessons/openings.ts';
import type { LessonService } from '../lessons/service.ts';
import type { SearchKind, SearchResult } from './schema.ts';
import type { FoundNote, FoundText, SearchStatements, SearchStore, TextQuery } from './store.ts';
import { textQuery } from './text-query.ts';

export type SearchParts = {
  store: SearchStore;
  lessons: Pick<LessonService, 'viewOf'>;
  openings: Pick<Openings, 'closedFor'>;
  assessments: readonly Pick<AssessmentService, 'kind' | 'list'>[];
  instructors: Pick<InstructorService, 'attempts'>;
  limits: { concurrency: number; maxWaiting: number };
};

/** An exam or a laboratory of a list. */
type Assessment = Awaited<ReturnType<AssessmentService['list']>>[number];
/** The names of the courses and sections that a caller sees, by their ids. */
type Places = { courses: Map<number, string>; sections: Map<number, string[]>; themes: Map<number, string[]> };

/** Results of a kind. */
const maxLessons = 8;
const maxOthers = 5;

/** Finds what a caller may see, and what is open to the caller. What that is, the features decide that show it: the search takes the ids from them. */
export class SearchService {
  readonly #parts: SearchParts;
  readonly #turns: ConcurrencyLimiter;
  /** Views of the catalogue never change. */
  readonly #places = new WeakMap<CatalogueView, Places>();

  constructor(parts: SearchParts) {
    this.#parts = parts;
    this.#turns = new ConcurrencyLimiter(parts.limits, overloaded('Too many searches run at once'));
  }

  /** @throws UnavailableError if too many searches run, or this one takes too long */
  async search(caller: Caller, text: string): Promise<SearchResult[]> {
    const query = textQuery(text);
    if (!query) return [];
    return await this.#turns.run(async () => [
      ...(await this.#content(caller, query, text.trim())),
      ...(await this.#attempts(caller, text.trim())),
    ]);
  }

  async #content(caller: Caller, query: TextQuery, text: string): Promise<SearchResult[]> {
    const view = await this.#parts.lessons.viewOf(caller);
    const places = this.#placesOf(view);
    const assessments = new Map<AttemptKind, readonly Assessment[]>();
    const closed = await this.#parts.openings.closedFor(caller);
    for (const service of this.#parts.assessments) {
      const seen = await service.list(caller);
      assessments.set(
        service.kind,
        seen.filter(({ id }) => !closed.has(`${service.kind}:${id}`)),
      );
    }
    const sections = [...places.sections.keys()].filter((id) => !closed.has(`section:${id}`));
    return await this.#parts.store.search(async (statements) => {
      const stems = await statements.stems(query);
      const lessons = await statements.lessons(query, stems, sections, maxLessons);
      const results = lessons.flatMap((found) => {
        const theme = view.place(found.id)?.theme;
        const where = places.themes.get(found.id) ?? [];
        return theme ? [resultOf('lesson', found.id, theme.title, where, excerptOf(found, stems))] : [];
      });
      for (const kind of ['laboratory', 'exam'] as const) {
        const seen = new Map((assessments.get(kind) ?? []).map((assessment) => [assessment.id, assessment]));
        const found = await statements.assessments(kind, query, stems, [...seen.keys()], maxOthers);
        results.push(...found.flatMap((row) => assessmentResult(kind, row, seen.get(row.id), places, stems)));
      }
      const notes = await statements.notes(query, stems, caller.id, maxOthers);
      results.push(...notes.map((note) => noteResult(note, view, places, stems)));
      if (caller.role !== 'student') results.push(...(await users(statements, caller, text)));
      return results;
    });
  }

  async #attempts(caller: Caller, search: string): Promise<SearchResult[]> {
    if (caller.role === 'student') return [];
    const page = { page: 1, pageSize: maxOthers, limit: maxOthers, offset: 0 };
    const { rows } = await this.#parts.instructors.attempts(caller, { search }, page);
    return rows.map(({ id, title, full_name, username }) =>
      resultOf('attempt', id, title, [full_name || username], []),
    );
  }

  #placesOf(view: CatalogueView): Places {
    const known = this.#places.get(view);
    if (known) return known;
    const places: Places = { courses: new Map(), sections: new Map(), themes: new Map() };
    for (const { row: course, sections } of view.courses) {
      places.courses.set(course.id, course.name);
      for (const { row: section, themes } of sections) {
        const where = [course.name, section.name];
        places.sections.set(section.id, where);
        for (const { id } of themes) places.themes.set(id, where);
      }
    }
    this.#places.set(view, places);
    return places;
  }
}

const resultOf = (kind: SearchKind, id: number, title: string, where: string[], excerpt: Piece[]): SearchResult => ({
  ...{ kind, id, title, where, excerpt },
  ...{ theme_id: null, heading: '' },
});

function assessmentResult(
  kind: AttemptKind,
  found: FoundText,
  assessment: Assessment | undefined,
  { courses, sections }: Places,
  stems: readonly string[],
): SearchResult[] {
  if (!assessment) return [];
  const { title, course_id, section_id } = assessment;
  const course = courses.get(course_id ?? 0);
  const where = sections.get(section_id ?? 0) ?? (course === undefined ? [] : [course]);
  return [resultOf(kind, found.id, title, where, excerptOf(found, stems))];
}

/** A note is kept where its lesson is hidden from the author. */
function noteResult(note: FoundNote, view: CatalogueView, { themes }: Places, stems: readonly string[]): SearchResult {
  const { id, theme_id, heading, excerpt } = note;
  const theme = view.place(theme_id)?.theme;
  const where = theme ? [...(themes.get(theme_id) ?? []), theme.title] : [];
  const result = resultOf('note', id, excerpt, where, note.text === '' ? [] : excerptOf(note, stems));
  return { ...result, theme_id: theme ? theme_id : null, heading };
}

async function users(statements: SearchStatements, caller: Caller, text: string): Promise<SearchResult[]> {
  const rows = await statements.users(caller, text, maxOthers);
  return rows.map(({ id, username, full_name }) =>
    resultOf('user', id, full_name || username, full_name ? [username] : [], []),
  );
}

/** A part of an excerpt. */
type Piece = { text: string; is_match: boolean };
/** A part of a text around the first word that was found. */
type Window = { text: string; is_begun: boolean; is_continued: boolean };

/** A shorter beginning marks whole words only: `a` is the beginning of too many. */
const minBeginning = 3;

/**
 * The text with its matches. A word matches if it begins with a stem of the query.
 * @param stems and words of the query, in lower case
 */
export function excerptOf({ text, is_begun, is_continued }: Window, stems: readonly string[]): Piece[] {
  const whole = new Set(stems);
  // The stem of `study` is `studi`.
  const beginnings = stems
    .map((stem) => (stem.length > minBeginning ? stem.replace(/i$/, '') : stem))
    .filter((stem) => stem.length >= minBeginning);
  const isMatch = (word: string): boolean => whole.has(word) || beginnings.some((stem) => word.startsWith(stem));
  const begun = is_begun ? text.replace(/^\S*\s/, '') : text;
  const cut = is_continued ? begun.replace(/\s\S*$/, '') : begun;
  const pieces: Piece[] = [];
  const add = (piece: string, is_match: boolean): void => {
    const last = pieces.at(-1);
    if (last?.is_match === is_match) last.text += piece;
    else pieces.push({ text: piece, is_match });
  };
  if (is_begun) add('… ', false);
  for (const [part] of cut.matchAll(/[\p{L}\p{N}\p{M}]+|[^\p{L}\p{N}\p{M}]+/gu)) add(part, isMatch(part.toLowerCase()));
  if (is_continued) add(' …', false);
  return pieces;
}
