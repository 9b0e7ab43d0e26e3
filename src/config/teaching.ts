import type { EnvReader } from './env-reader.ts';
import type { Tuning } from './tuning.ts';

/** Classes and their exam sessions, and notifications. */
export function readTeaching(env: EnvReader, tuning: Tuning) {
  env.part = 'Teaching';
  return {
    /** Shown beside the time zone of the reader. */
    schoolTimeZone: readTimeZone(env),
    /** The students and classes that instructors see: all, or only the students of their own classes and these. */
    instructorScope: env.oneOf('INSTRUCTOR_SCOPE', 'all', ['all', 'classes'], {
      about:
        'whom instructors see: `all` students and classes, or only their own `classes` and the students in them; see [instructors](instructors.md#whom-instructors-see)',
    }),
    /** Who creates courses. */
    courseCreators: env.oneOf('COURSE_CREATORS', 'instructors', ['instructors', 'admins'], {
      about: 'who creates courses: `instructors` and administrators, or only `admins`',
    }),
    /**
     * When a student counts as stuck on the dashboard of instructors: attempts of one exam or laboratory that ended without passing it, and days
     * since the last lesson of a course that is not finished, which is a week without its lesson.
     */
    stuck: { attempts: 3, days: 7 },
    classes: {
      maxJoinCodes: tuning.maxJoinCodesPerClass,
      maxExamSessions: tuning.maxExamSessionsPerClass,
      maxSessionUsers: tuning.maxExamSessionUsers,
      maxSessionSupervisors: tuning.maxExamSessionSupervisors,
      maxBreakMinutes: tuning.maxBreakMinutes,
      maxGradeColumns: tuning.maxGradeColumns,
      maxGradeLines: tuning.maxGradeLines,
      maxAnnouncements: tuning.maxAnnouncements,
    },
    examRooms: {
      interval: 1000 * tuning.examRoomSeconds,
      maxWatchers: tuning.maxExamRoomWatchers,
      silentInterval: 1000 * tuning.silentRoundSeconds,
    },
    notifications: {
      /** Days that they are kept. */
      days: env.integer('NOTIFICATION_DAYS', 30, {
        min: 1,
        max: 3650,
        about: 'days that notifications of users are kept',
      }),
      interval: 1000 * tuning.notificationSeconds,
      /** Minutes before the end of an attempt at which its user is reminded: time for a task, and to save. */
      minutesLeft: [10, 2],
      hoursBeforeDue: 24,
      /** Streams at once in this process, half of its connections, and of one user. */
      maxStreams: 5000,
      maxStreamsPerUser: tuning.maxNotificationStreamsPerUser,
    },
  };
}

function readTimeZone(env: EnvReader): string | undefined {
  const name = env.optional('SCHOOL_TIME_ZONE', {
    about: 'time zone of the school, such as `Europe/Berlin`; pages show the times of exam sessions in it too',
  });
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
