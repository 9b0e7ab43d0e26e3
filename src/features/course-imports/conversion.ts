/** What this feature asks of a conversion, which tools/conversion is. The formats of repositories are known there only. */
import type { LessonVersion } from '../lesson-repositories/lesson-source.ts';
import type { OutlineFormat, OutlineProblem, Plan, Stored } from './schema.ts';

/** What a repository of Markdown lessons has. */
export type RepositoryOutline = {
  format: OutlineFormat;
  /** The table of contents; undefined where the order is that of the folders. */
  file: string | undefined;
  /** The languages of lessons with several versions, which `language` chooses from. */
  languages: string[];
  /** Entries that were left out. */
  problems: OutlineProblem[];
  warnings: OutlineProblem[];
  /** Its courses, brought together with those that exist. What administrators have changed stays. */
  plan: (stored: Stored) => Plan;
};

/**
 * Finds the courses of a repository.
 * @param options.name of the repository, for a course without a title
 * @param options.language of the lessons that are taken where they have several versions. Without it: English, or no language in the path
 * @throws UnavailableError where that takes too much time or memory
 */
export type ReadOutline = (
  version: LessonVersion,
  options: { name: string; language: string | undefined },
) => Promise<RepositoryOutline>;
