import { sql } from 'kysely';
import { statusSql } from '../../database/attempt-status.ts';
import { membersOf, pauseOf } from '../../database/exam-session-rules.ts';

/** For how long containers are kept ready for the students of exam sessions. */
export type ExpectedStarts = {
  /** Minutes before a session opens in which they are created; 0: none are. */
  expectedMinutes: number;
  /** Hours after the opening for which they are kept, at most until the close. */
  expectedHours: number;
};

/**
 * The condition that the containers of an exam can be prepared before anybody starts: its set-up is the same for all. An attempt that draws
 * values has its own. A state that is not recorded yet has no attempts.
 */
export const isPreparable = (exams: string) => sql<boolean>`(
  setup_key_of('exam', ${sql.ref(`${exams}.id`)}) is null or not exists (select from assessment_revisions as revision
    where revision.kind = 'exam' and revision.assessment_id = ${sql.ref(`${exams}.id`)}
      and revision.revision = ${sql.ref(`${exams}.revision`)} and is_varied))`;

/**
 * How many students will start in exam sessions soon, for each image and set-up. These are the students of the session who have no
 * container in it yet. Before the opening the number grows evenly, and is complete after four fifths of the time: containers are neither
 * created all at once nor at the last moment. Students have their own windows.
 */
export const expectedStarts = ({ expectedMinutes, expectedHours }: ExpectedStarts) => sql<{
  image: string;
  setup_key: string | null;
  expected: number;
}>`(
  select exams.container_image as image, setup_key_of('exam', exams.id) as setup_key,
    ceil(sum(least(1, 1.25 * (1 - extract(epoch from times.opens_at - now()) / (60.0 * ${expectedMinutes}::int)))))::int as expected
  from exam_sessions as s
  join assessments as exams on exams.kind = 'exam' and exams.id = s.exam_id and exams.is_active and ${isPreparable('exams')}
  join ${membersOf('s')} as member on member.role = 'student' and not member.is_hidden
  join users on users.id = member.user_id and users.is_active
  left join exam_accommodations as own on own.session_id = s.id and own.user_id = member.user_id
  cross join lateral (select coalesce(own.opens_at, s.opens_at) as opens_at,
    coalesce(own.closes_at, s.closes_at) as closes_at, ${sql.raw(pauseOf('s', 'now()'))} as pause) as times
  where ${expectedMinutes}::int > 0
    and now() > times.opens_at - make_interval(mins => ${expectedMinutes}::int)
    and now() < times.pause + least(times.closes_at, times.opens_at + make_interval(hours => ${expectedHours}::int))
    and not exists (select from attempts where session_id = s.id and user_id = member.user_id
      and (not ${statusSql.awaitsContainer()} or exists (select from containers where attempt_id = attempts.id)))
  group by exams.id, exams.container_image)`;
