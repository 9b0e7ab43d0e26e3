import { hash } from 'node:crypto';
import { type CourseWithSections, SerializedCourse } from './serialized-course.ts';

/** Courses from `first` to the one before `end`, by index. */
export type CourseRange = { first: number; end: number };

const [arrayBegin, arrayEnd, comma] = ['[', ']', ','].map((character) => character.charCodeAt(0)) as [
  number,
  number,
  number,
];

/** The serialised tree of courses. Each course is serialised when it is first asked for. */
export class CourseTree {
  readonly #courses: readonly CourseWithSections[];
  readonly #pieces: SerializedCourse[] = [];
  readonly #courseOf: (themeId: number) => number | undefined;

  /** @param courseOf the index of a theme's course */
  constructor(courses: readonly CourseWithSections[], courseOf: (themeId: number) => number | undefined) {
    this.#courses = courses;
    this.#courseOf = courseOf;
  }

  /** The number of courses. */
  get length(): number {
    return this.#courses.length;
  }

  /** Identifies the content of a part of the tree, in every process. */
  version(range: CourseRange): string {
    const versions = this.#indexes(range).map((index) => this.#piece(index).version);
    return hash('sha1', versions.join(' '), 'base64url');
  }

  /** A part of the tree as JSON. @param completed the ids of the themes that the reader has completed */
  render(range: CourseRange, completed: readonly number[]): Buffer {
    const indexes = this.#indexes(range);
    const size = indexes.reduce((sum, index) => sum + this.#piece(index).bytes.length + 1, 1);
    const body = Buffer.allocUnsafe(Math.max(size, 2));
    const own = Map.groupBy(completed, this.#courseOf);
    let at = 0;
    body[at] = arrayBegin;
    at += 1;
    for (const index of indexes) {
      const piece = this.#piece(index);
      body.set(piece.bytes, at);
      const ids = own.get(index);
      if (ids) piece.mark(body, at, ids);
      at += piece.bytes.length;
      body[at] = comma;
      at += 1;
    }
    body[body.length - 1] = arrayEnd;
    return body;
  }

  /** Identifies the content of one course, in every process. */
  courseVersion(index: number): string {
    return this.#piece(index).version;
  }

  /** One course as JSON. @param completed the ids of those of its themes that the reader has completed */
  renderCourse(index: number, completed: readonly number[]): Buffer {
    const piece = this.#piece(index);
    const body = Buffer.from(piece.bytes);
    piece.mark(body, 0, completed);
    return body;
  }

  #piece(index: number): SerializedCourse {
    const known = this.#pieces[index];
    if (known) return known;
    const piece = new SerializedCourse(this.#courses[index] as CourseWithSections);
    this.#pieces[index] = piece;
    return piece;
  }

  #indexes({ first, end }: CourseRange): number[] {
    const last = Math.min(end, this.length);
    return Array.from({ length: Math.max(0, last - first) }, (_, offset) => first + offset);
  }
}

/** The tree of courses with the progress of one reader. */
export class ReaderTree {
  readonly #tree: CourseTree;
  readonly #completed: string;

  /** @param completed the ids of the completed themes, separated by commas */
  constructor(tree: CourseTree, completed: string) {
    this.#tree = tree;
    this.#completed = completed;
  }

  /** The number of courses. */
  get length(): number {
    return this.#tree.length;
  }

  /** Identifies the content of a part of the tree, by default all of it. Nothing is serialised for the reader. */
  version(range: CourseRange = this.#all): string {
    return `${this.#tree.version(range)} ${this.#completed}`;
  }

  /** A part of the tree, by default all of it, serialised. */
  render(range: CourseRange = this.#all): Buffer {
    const ids = this.#completed === '' ? [] : this.#completed.split(',').map(Number);
    return this.#tree.render(range, ids);
  }

  get #all(): CourseRange {
    return { first: 0, end: this.length };
  }
}
