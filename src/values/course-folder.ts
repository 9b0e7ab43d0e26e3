/** The folder of the files that the staff of a course write for its lessons. */
export const courseFolder = (courseId: number): string => `courses/${courseId}/`;

/**
 * Whether a lesson that is written in the pages may show a file: the staff of a course write what its lessons refer to, so these reach only
 * into its own folder.
 */
export const mayReferTo = (lessonPath: string, filePath: string): boolean =>
  filePath.startsWith(/^courses\/\d+\//.exec(lessonPath)?.[0] ?? '');
