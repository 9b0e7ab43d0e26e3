import { hash } from 'node:crypto';
import type { CourseRow, SectionRow, ThemeRow } from './store.ts';

export type SectionWithThemes = { row: SectionRow; themes: ThemeRow[] };
export type CourseWithSections = { row: CourseRow; sections: SectionWithThemes[]; themeCount: number };

const open = 'false';
/** As long as `false`: JSON permits the space. */
const completedMark = Buffer.from('true ');
/** The longest percentage: `99.9`. */
const percentWidth = 4;

/**
 * A course with its sections and themes as one piece of serialised JSON, without anybody's progress. The progress of a reader is written
 * into gaps of fixed width of a copy, which costs a fraction of serialising the course for each reader.
 */
export class SerializedCourse {
  readonly bytes: Buffer;
  /** Identifies the content, in every process. */
  readonly version: string;
  readonly #total: number;
  /** The place of each theme's `is_completed`. */
  readonly #marks = new Map<number, number>();
  readonly #completedAt: number;
  readonly #percentAt: number;

  constructor({ row, sections, themeCount }: CourseWithSections) {
    const text = new Text();
    text.add(`${opened(row)},"sections":[`);
    for (const [place, section] of sections.entries()) {
      text.add(`${place > 0 ? ',' : ''}${opened(section.row)},"themes":[`);
      for (const [position, theme] of section.themes.entries()) {
        text.add(`${position > 0 ? ',' : ''}${opened(theme)},"is_completed":`);
        this.#marks.set(theme.id, text.length);
        text.add(`${open}}`);
      }
      text.add(']}');
    }
    text.add('],"progress":{"completed_themes":');
    this.#completedAt = text.length;
    text.add(`${'0'.padEnd(String(themeCount).length)},"total_themes":${themeCount},"percent":`);
    this.#percentAt = text.length;
    text.add(`${'0'.padEnd(percentWidth)}}}`);
    this.#total = themeCount;
    this.bytes = text.toBuffer();
    this.version = hash('sha1', this.bytes, 'base64url');
  }

  /** Writes a reader's progress into a copy of the piece, which begins at `at`. @param completed ids of themes of this course */
  mark(body: Buffer, at: number, completed: readonly number[]): void {
    for (const id of completed) {
      const mark = this.#marks.get(id);
      if (mark !== undefined) body.set(completedMark, at + mark);
    }
    body.write(String(completed.length), at + this.#completedAt, 'latin1');
    body.write(String(percentOf(completed.length, this.#total)), at + this.#percentAt, 'latin1');
  }
}

/** A row's JSON without its closing brace. */
const opened = (row: object): string => JSON.stringify(row).slice(0, -1);

/** Text with its length in bytes so far. */
class Text {
  #text = '';
  length = 0;

  add(piece: string): void {
    this.#text += piece;
    this.length += Buffer.byteLength(piece);
  }

  toBuffer(): Buffer {
    return Buffer.from(this.#text);
  }
}

/** With one decimal, rounded down, so that only a complete part is 100. */
export const percentOf = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.floor((1000 * part) / whole) / 10;
