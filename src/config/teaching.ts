import type { EnvReader } from './env-reader.ts';

/** Classes and their exam sessions, and notifications. */
export function readTeaching(env: EnvReader) {
  return {
    /** Shown beside the time zone of the reader. */
    schoolTimeZone: readTimeZone(env),
    /** The students and classes that instructors see: all, or only the students of their own classes and these. */
    instructorScope: env.oneOf('INSTRUCTOR_SCOPE', 'all', ['all', 'classes']),
    /** When a student counts as stuck on the dashboard of instructors. */
    stuck: {
      /** Attempts of one exam or laboratory that ended without passing it. */
      attempts: env.integer('STUCK_AFTER_ATTEMPTS', 3, { min: 1, max: 100 }),
      /** Days since the last lesson of a course that is not finished. */
      days: env.integer('STUCK_AFTER_DAYS', 7, { min: 1, max: 365 }),
    },
    classes: {
      /** Join codes of one class, expired ones included. */
      maxJoinCodes: env.integer('CLASS_JOIN_CODES_MAX', 100, { min: 1, max: 10_000 }),
      /** Exam sessions of one class; for chosen students those of one creator, and those of others that one user supervises. */
      maxExamSessions: env.integer('CLASS_EXAM_SESSIONS_MAX', 500, { min: 1, max: 10_000 }),
      /** Chosen students of one exam session. */
      maxSessionUsers: env.integer('EXAM_SESSION_USERS_MAX', 1000, { min: 1, max: 10_000 }),
      /** Supervisors of one exam session for chosen students, its creator included. */
      maxSessionSupervisors: env.integer('EXAM_SESSION_SUPERVISORS_MAX', 20, { min: 1, max: 1000 }),
      /** Minutes of breaks in one attempt. */
      maxBreakMinutes: env.integer('EXAM_BREAK_MINUTES_MAX', 120, { min: 1, max: 1440 }),
      /** Columns with typed values in the grade book of one class. */
      maxGradeColumns: env.integer('CLASS_GRADE_COLUMNS_MAX', 50, { min: 1, max: 1000 }),
      /** Students in one import of such values. */
      maxGradeLines: env.integer('CLASS_GRADE_IMPORT_MAX', 2000, { min: 1, max: 100_000 }),
      /** Announcements of one class, and those to everybody, past ones included. */
      maxAnnouncements: env.integer('ANNOUNCEMENTS_MAX', 500, { min: 1, max: 10_000 }),
    },
    examRooms: {
      /** Milliseconds between two reads of a room that is watched and in which nothing was reported. */
      interval: 1000 * env.integer('EXAM_ROOM_SECONDS', 5, { min: 1, max: 10 }),
      maxWatchers: env.integer('EXAM_ROOM_WATCHERS_MAX', 200, { min: 1, max: 10_000 }),
    },
    notifications: {
      /** Days that they are kept. */
      days: env.integer('NOTIFICATION_DAYS', 30, { min: 1, max: 3650 }),
      /** Milliseconds between two searches for what has become due. */
      interval: 1000 * env.integer('NOTIFICATION_SECONDS', 15, { min: 1, max: 60 }),
      /** Minutes before the end of an attempt at which its user is reminded. */
      minutesLeft: env.integers('NOTIFY_MINUTES_LEFT', [10, 2], { min: 1, max: 1440 }),
      hoursBeforeDue: env.integer('NOTIFY_HOURS_BEFORE_DUE', 24, { min: 1, max: 720 }),
      /** Streams at once in this process, and of one user. */
      maxStreams: env.integer('NOTIFICATION_STREAMS_MAX', 5000, { min: 1, max: 1_000_000 }),
      maxStreamsPerUser: env.integer('NOTIFICATION_STREAMS_PER_USER', 10, { min: 1, max: 1000 }),
    },
  };
}

function readTimeZone(env: EnvReader): string | undefined {
  const name = env.optional('SCHOOL_TIME_ZONE');
  if (name !== undefined && !isTimeZone(name))
    env.problems.push('SCHOOL_TIME_ZONE takes a time zone such as Europe/Berlin');
  return name;
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
