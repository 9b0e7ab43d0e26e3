import { bytesIn } from './bytes-in.ts';
import type { EnvReader } from './env-reader.ts';
import type { Tuning } from './tuning.ts';

/** Courses, exams and laboratories: their limits, the lessons repository, the search, and what visitors see. */
export function readContent(env: EnvReader, tuning: Tuning) {
  env.part = 'Courses and lessons';
  return {
    isCatalogueAnonymous: env.flag('ANONYMOUS_CATALOGUE', false, {
      about: 'whether requests without a token can read exams, one exam, one laboratory and sandbox templates',
    }),
    isCatalogueOpen: env.flag('CATALOGUE_IS_OPEN', false, {
      about: 'whether visitors without an account see a [front page](operating.md#the-front-page)',
    }),
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
    url: env.optional('LESSONS_REPO_URL', {
      usually: 'the shipped lessons',
      about: 'Git repository of lessons: `ssh://`, `user@host:path`, `https://` or a path',
    }),
    branch: env.optional('LESSONS_REPO_BRANCH', { usually: "the remote's own", about: 'its branch' }),
    sshKeyPath: env.optional('LESSONS_SSH_KEY_PATH', { about: 'file with a private key for it' }),
    knownHostsPath: env.optional('LESSONS_SSH_KNOWN_HOSTS', {
      usually: "the first contact's key is kept",
      about: 'file of known hosts',
    }),
    staleSeconds: env.integer('LESSONS_STALE_SECONDS', 300, {
      min: 0,
      max: 86_400,
      about: 'age at which the copy of a repository is updated in the background',
    }),
    timeoutSeconds: tuning.lessonsTimeoutSeconds,
    maxRepositories: tuning.maxLessonRepositories,
    notesPerUser: tuning.maxNotesPerUser,
    /** A lesson, or a picture or archive of one. A file is in memory while it is sent. */
    maxFileBytes: 8 * bytesIn.mib,
  };
  if (lessons.sshKeyPath && !lessons.url) env.problems.push('LESSONS_SSH_KEY_PATH is set, but LESSONS_REPO_URL is not');
  return lessons;
}
