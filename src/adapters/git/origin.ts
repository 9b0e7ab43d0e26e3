/** The reference of a mirror that names what is served. */
export const headReference = 'refs/lessons/head';

/** Where a mirror's commits come from. */
export type Origin = AsyncDisposable & {
  /** True where asking costs so little that the first reader after a start waits for it even if there is a copy. */
  readonly isLocal: boolean;

  /**
   * Brings the commit to serve, with all it needs, into a bare repository as `headReference`. `empty`: there is none, and
   * nothing was touched. A first time may take longer than a later one.
   * @throws GitFailure
   */
  bringInto(directory: string, isFirst: boolean): Promise<'present' | 'empty'>;
};
