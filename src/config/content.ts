import { bytesIn } from './bytes-in.ts';
import type { EnvReader } from './env-reader.ts';
import type { Tuning } from './tuning.ts';

/** Courses, exams and laboratories: their limits, the lessons repository, the search, and what visitors see. */
export function readContent(env: EnvReader, tuning: Tuning) {
  return {
    isCatalogueAnonymous: env.flag('ANONYMOUS_CATALOGUE', false),
    /** Whether the front page shows the courses to visitors without an account. */
    isCatalogueOpen: env.flag('CATALOGUE_IS_OPEN', false),
    /** Limits of each kind of content, and of the tasks in one exam or laboratory. */
    catalogue: {
      max: tuning.maxCatalogueItems,
      maxTasks: tuning.maxTasks,
      fileBytes: tuning.maxSetupFileBytes,
      maxFiles: tuning.maxSetupFiles,
      /** Equal contents count once. */
      written: { maxFiles: tuning.maxWrittenLessonFiles, maxBytes: tuning.maxWrittenLessonBytes },
    },
    lessons: readLessons(env, tuning),
    search: {
      /** Characters of a lesson that are searched, from its beginning: a chapter of a book has fewer. */
      lessonCharacters: 200_000,
      interval: 1000 * tuning.searchRefreshSeconds,
      timeout: tuning.searchTimeoutMs,
      /** Searches of one process at once, which use PostgreSQL's processor, and those that wait. */
      concurrency: 4,
      maxWaiting: 100,
    },
  };
}

function readLessons(env: EnvReader, tuning: Tuning) {
  const lessons = {
    url: env.optional('LESSONS_REPO_URL'),
    branch: env.optional('LESSONS_REPO_BRANCH'),
    sshKeyPath: env.optional('LESSONS_SSH_KEY_PATH'),
    knownHostsPath: env.optional('LESSONS_SSH_KNOWN_HOSTS'),
    staleSeconds: env.integer('LESSONS_STALE_SECONDS', 300, { min: 0, max: 86_400 }),
    timeoutSeconds: tuning.lessonsTimeoutSeconds,
    maxRepositories: tuning.maxLessonRepositories,
    notesPerUser: tuning.maxNotesPerUser,
    /** A lesson, or a picture or archive of one. A file is in memory while it is sent. */
    maxFileBytes: 8 * bytesIn.mib,
  };
  if (lessons.sshKeyPath && !lessons.url) env.problems.push('LESSONS_SSH_KEY_PATH is set, but LESSONS_REPO_URL is not');
  return lessons;
}
