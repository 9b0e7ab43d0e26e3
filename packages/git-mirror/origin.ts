/** The reference in a mirror that names the served commit. Mirrors of all releases have it. */
export const headReference = 'refs/lessons/head';

/** The source of a mirror's commits. */
export type Origin = AsyncDisposable & {
  /** True if a query is so cheap that the first reader after a start waits for it even if there is a copy. */
  readonly isLocal: boolean;

  /**
   * Fetches the commit to serve, with all its objects, into a bare repository as `headReference`. `empty`: there is no commit, and
   * nothing was changed. The first fetch may take longer than later ones.
   * @throws GitError
   */
  bringInto(directory: string, isFirst: boolean): Promise<'present' | 'empty'>;
};
