export type LessonFile = {
  /** Identifies the exact bytes: the same id means the same content, in any version. */
  readonly id: string;
  readonly bytes: Buffer;
};

/** The lessons at one commit. Everything that one request reads comes from one version. */
export type LessonVersion = {
  /** Null for a repository without commits. */
  readonly commit: string | null;

  /**
   * The id of the file at a path relative to the repository's root, without reading the file.
   * @throws NotFoundError where there is no such file, or the path is absolute, leads outside or passes through a link
   */
  identify(path: string): Promise<string>;

  /** Those of the paths at which there is no file. @throws UnavailableError if the copy cannot be read */
  missing(paths: readonly string[]): Promise<string[]>;

  /**
   * The paths of the files that are no links, without hidden ones.
   * @param max paths are returned at most
   * @param isShown the hidden names that are listed as well
   * @throws UnavailableError if the copy cannot be read
   */
  files(max: number, isShown?: (name: string) => boolean): Promise<string[]>;

  /** The paths of symbolic links, as those of files. They are not followed. @throws UnavailableError if the copy cannot be read */
  links(max: number, isShown?: (name: string) => boolean): Promise<string[]>;

  /** @throws NotFoundError as `identify`, and for a file over the size limit; UnavailableError if the copy cannot be read */
  read(path: string): Promise<LessonFile>;
};

/** The source of the lessons. */
export type LessonSource = AsyncDisposable & {
  /**
   * The version to read from now. Waits only while there is no copy at all.
   * @throws UnavailableError if there is none and none can be had
   */
  open(): Promise<LessonVersion>;

  /**
   * Brings the copy up to date with what the source holds at the time of the call, and waits for it.
   * @throws UnavailableError if that fails; the copy there was is still served then
   */
  refresh(): Promise<{ commit: string | null; changed: boolean }>;
};
