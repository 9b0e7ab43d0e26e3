import type { CourseRange, CourseTree } from './course-tree.ts';

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
