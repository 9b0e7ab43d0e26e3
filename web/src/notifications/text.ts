import { hrefOf } from '../routing/router.ts';
import type { Strings } from '../strings/en/index.ts';
import type { Notification } from './queries.ts';

type Words = Strings['notifications']['texts'];

/** What a notification says. @param time formats a moment */
export function textOf(
  words: Words,
  { kind, title, minutes, until }: Notification,
  time: (moment: string) => string,
): string {
  switch (kind) {
    case 'exam_opens':
      return words.exam_opens(title, until === null ? '' : time(until));
    case 'time_left':
      return words.time_left(title, minutes ?? 0);
    case 'more_time':
      return words.more_time(title, minutes ?? 0);
    case 'deadline':
      return words.deadline(title, until === null ? '' : time(until));
    case 'results':
      return words.results(title);
    case 'supervision':
      return words.supervision(title);
    case 'hand':
    case 'help':
    case 'report':
    case 'report_answer':
    case 'grade':
    case 'review':
    case 'reopen':
    case 'reopened':
    case 'reopen_declined':
    case 'webhook':
      return words[kind](title);
    case 'account_deletion':
      return words.account_deletion(until === null ? '' : time(until));
    case 'evidence':
      return words.evidence(title);
    case 'announcement':
      return words.announcement(title);
  }
}

/** The address of the page that a notification is about. */
export function addressOf(notification: Notification): string {
  const { kind, exam_id, laboratory_id, attempt_id, announcement_id, session_id, course_id } = notification;
  if (announcement_id !== null) return hrefOf({ to: '/announcements', hash: `announcement-${announcement_id}` });
  if (kind === 'report')
    return course_id === null
      ? hrefOf({ to: '/administration/courses' })
      : hrefOf({ to: '/teaching/courses/$courseId', params: { courseId: `${course_id}` } });
  if (kind === 'webhook') return hrefOf({ to: '/administration/webhooks' });
  if (kind === 'account_deletion') return hrefOf({ to: '/profile' });
  if (kind === 'hand') return hrefOf({ to: '/teaching/live' });
  if (kind === 'review' || kind === 'reopen')
    return hrefOf({ to: '/teaching/attempts/$attemptId', params: { attemptId: `${attempt_id}` } });
  if ((kind === 'supervision' || kind === 'evidence') && session_id !== null)
    return hrefOf({ to: '/exam-sessions/$sessionId', params: { sessionId: `${session_id}` } });
  if (
    (kind === 'results' || kind === 'report_answer' || kind === 'grade' || kind === 'reopen_declined') &&
    attempt_id !== null
  ) {
    const params = { attemptId: `${attempt_id}` };
    return exam_id === null
      ? hrefOf({ to: '/laboratories/results/$attemptId', params })
      : hrefOf({ to: '/exams/results/$attemptId', params });
  }
  if (exam_id !== null) return hrefOf({ to: '/exams/$assessmentId', params: { assessmentId: `${exam_id}` } });
  if (laboratory_id !== null)
    return hrefOf({ to: '/laboratories/$assessmentId', params: { assessmentId: `${laboratory_id}` } });
  return hrefOf({ to: '/' });
}
