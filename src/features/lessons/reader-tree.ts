import { hash } from 'node:crypto';
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

  /** An entity tag of the whole tree or a part of it, without serialising it. */
  tag(range?: CourseRange): string {
    const part = range ? `${range.first}-${range.end}` : 'all';
    return `"${hash('sha1', `${this.#tree.version} ${part} ${this.#completed}`, 'base64url')}"`;
  }

  /** The whole tree or a part of it, serialised. */
  render({ first, end }: CourseRange = { first: 0, end: this.length }): Buffer {
    const ids = this.#completed === '' ? [] : this.#completed.split(',').map(Number);
    return this.#tree.render({ first, end: Math.min(end, this.length) }, ids);
  }
}
