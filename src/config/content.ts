import { bytesIn } from './bytes-in.ts';
import type { EnvReader } from './env-reader.ts';

/** Courses, exams and laboratories: their limits, the lessons repository, the search, and what visitors see. */
export function readContent(env: EnvReader) {
  return {
    isCatalogueAnonymous: env.flag('ANONYMOUS_CATALOGUE', false),
    /** Whether the front page shows the courses to visitors without an account. */
    isCatalogueOpen: env.flag('CATALOGUE_IS_OPEN', false),
    /** Limits of each kind of content, and of the tasks in one exam or laboratory. */
    catalogue: {
      max: env.integer('CATALOGUE_MAX', 5000, { min: 1, max: 1_000_000 }),
      maxTasks: env.integer('TASKS_MAX', 200, { min: 1, max: 10_000 }),
      /** Bytes and number of the files of one exam or laboratory, with those of its tasks. */
      fileBytes: env.integer('SETUP_FILES_MAX_BYTES', 10 * bytesIn.mib, { min: 1024, max: 64 * bytesIn.mib }),
      maxFiles: env.integer('SETUP_FILES_MAX', 500, { min: 1, max: 10_000 }),
      written: {
        /** Files of lessons that are written in the pages, at once. */
        maxFiles: env.integer('WRITTEN_LESSONS_MAX_FILES', 2000, { min: 1, max: 100_000 }),
        /** Bytes of all their revisions. Equal contents count once. */
        maxBytes: env.integer('WRITTEN_LESSONS_MAX_BYTES', 256 * bytesIn.mib, { min: 1024, max: 2 ** 34 }),
      },
    },
    lessons: readLessons(env),
    search: {
      /** Characters of a lesson that are searched, from its beginning. */
      lessonCharacters: 1000 * env.integer('SEARCH_LESSON_KB', 200, { min: 1, max: 500 }),
      /** Milliseconds between two checks whether texts of lessons have changed. */
      interval: 1000 * env.integer('SEARCH_REFRESH_SECONDS', 2, { min: 1, max: 3600 }),
      /** Milliseconds for one statement of a search. */
      timeout: env.integer('SEARCH_TIMEOUT_MS', 2000, { min: 50, max: 60_000 }),
      /** Searches of one process at once, and those that wait. */
      concurrency: env.integer('SEARCHES', 4, { min: 1, max: 100 }),
      maxWaiting: env.integer('SEARCHES_WAITING', 100, { min: 0, max: 10_000 }),
    },
  };
}

function readLessons(env: EnvReader) {
  const lessons = {
    url: env.optional('LESSONS_REPO_URL'),
    branch: env.optional('LESSONS_REPO_BRANCH'),
    sshKeyPath: env.optional('LESSONS_SSH_KEY_PATH'),
    knownHostsPath: env.optional('LESSONS_SSH_KNOWN_HOSTS'),
    staleSeconds: env.integer('LESSONS_STALE_SECONDS', 300, { min: 0, max: 86_400 }),
    timeoutSeconds: env.integer('LESSONS_TIMEOUT_SECONDS', 60, { min: 1, max: 3600 }),
    /** Repositories that courses were imported from, besides that of the service. */
    maxRepositories: env.integer('LESSON_REPOSITORIES_MAX', 20, { min: 1, max: 1000 }),
    notesPerUser: env.integer('NOTES_PER_USER', 1000, { min: 1, max: 100_000 }),
    maxFileBytes: env.integer('LESSON_MAX_BYTES', 8 * bytesIn.mib, { min: 1024, max: 256 * bytesIn.mib }),
  };
  if (lessons.sshKeyPath && !lessons.url) env.problems.push('LESSONS_SSH_KEY_PATH is set, but LESSONS_REPO_URL is not');
  return lessons;
}
