import { hash } from 'node:crypto';
import { percentOf } from './percent.ts';
import type { CourseRow, SectionRow, ThemeRow } from './store.ts';

export type SectionWithThemes = { row: SectionRow; themes: ThemeRow[] };
export type CourseWithSections = { row: CourseRow; sections: SectionWithThemes[]; themeCount: number };
/** The place of a theme's `is_completed`, and the index of its course. */
type Mark = { at: number; course: number };
/** Where a course begins and ends, and the gaps for its progress. */
type Span = { begin: number; end: number; total: number; completedAt: number; percentAt: number };
/** Courses from `first` to the one before `end`, by index. */
export type CourseRange = { first: number; end: number };

const open = 'false';
/** As long as `false`: JSON permits the space. */
const completedMark = Buffer.from('true ');
/** The longest percentage: `99.9`. */
const percentWidth = 4;
const [arrayBegin, arrayEnd] = Buffer.from('[]');

/**
 * The tree of courses as one piece of serialised JSON, without anybody's progress. A reader's tree is a copy with the reader's progress
 * written into gaps of fixed width, which costs a fraction of serialising it.
 */
export class CourseTree {
  readonly #template: Buffer;
  readonly #spans: Span[] = [];
  readonly #marks = new Map<number, Mark>();
  /** Identifies the content, in every process. */
  readonly version: string;

  constructor(courses: readonly CourseWithSections[]) {
    const text = new Pieces();
    for (const [index, course] of courses.entries()) {
      if (index > 0) text.add(',');
      this.#spans.push(this.#write(text, index, course));
    }
    this.#template = text.toBuffer();
    this.version = hash('sha1', this.#template, 'base64url');
  }

  get length(): number {
    return this.#spans.length;
  }

  /** A part of the tree as JSON. @param completed the ids of the themes that the reader has completed */
  render({ first, end }: CourseRange, completed: readonly number[]): Buffer {
    const from = this.#spans[first]?.begin ?? 0;
    const to = first < end ? (this.#spans[end - 1]?.end ?? from) : from;
    const shift = 1 - from;
    const body = Buffer.allocUnsafe(to - from + 2);
    body[0] = arrayBegin as number;
    body[body.length - 1] = arrayEnd as number;
    this.#template.copy(body, 1, from, to);
    const counts = new Map<number, number>();
    for (const id of completed) {
      const mark = this.#marks.get(id);
      if (!mark || mark.course < first || mark.course >= end) continue;
      body.set(completedMark, mark.at + shift);
      counts.set(mark.course, (counts.get(mark.course) ?? 0) + 1);
    }
    for (const [course, count] of counts) {
      const { total, completedAt, percentAt } = this.#spans[course] as Span;
      body.write(String(count), completedAt + shift, 'latin1');
      body.write(String(percentOf(count, total)), percentAt + shift, 'latin1');
    }
    return body;
  }

  #write(text: Pieces, index: number, { row, sections, themeCount }: CourseWithSections): Span {
    const begin = text.length;
    text.add(`${opened(row)},"sections":[`);
    for (const [place, section] of sections.entries()) {
      text.add(`${place > 0 ? ',' : ''}${opened(section.row)},"themes":[`);
      for (const [position, theme] of section.themes.entries()) {
        text.add(`${position > 0 ? ',' : ''}${opened(theme)},"is_completed":`);
        this.#marks.set(theme.id, { at: text.length, course: index });
        text.add(`${open}}`);
      }
      text.add(']}');
    }
    text.add('],"progress":{"completed_themes":');
    const completedAt = text.length;
    text.add(`${'0'.padEnd(String(themeCount).length)},"total_themes":${themeCount},"percent":`);
    const percentAt = text.length;
    text.add(`${'0'.padEnd(percentWidth)}}}`);
    return { begin, end: text.length, total: themeCount, completedAt, percentAt };
  }
}

/** A row's JSON without its closing brace. */
const opened = (row: object): string => JSON.stringify(row).slice(0, -1);

/** Text in pieces, with its length in bytes so far. */
class Pieces {
  readonly #pieces: string[] = [];
  length = 0;

  add(piece: string): void {
    this.#pieces.push(piece);
    this.length += Buffer.byteLength(piece);
  }

  toBuffer(): Buffer {
    return Buffer.from(this.#pieces.join(''));
  }
}
