/** A violation of the rules in a content directory. */
export type Problem = {
  /** Relative to the content directory. */
  file: string;
  /** From 1. */
  line: number;
  message: string;
};

/** A content directory is not usable. Contains every problem, in the order of files and lines. */
export class ContentError extends Error {
  readonly problems: readonly Problem[];

  constructor(directory: string, problems: readonly Problem[]) {
    const sorted = problems.toSorted((a, b) => compare(a.file, b.file) || a.line - b.line);
    const lines = sorted.map(({ file, line, message }) => `  ${file}:${line}: ${message}`);
    super(`The content in ${directory} is not usable:\n${lines.join('\n')}`);
    this.name = 'ContentError';
    this.problems = sorted;
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
