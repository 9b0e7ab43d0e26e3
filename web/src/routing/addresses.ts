import { asAddress, asBoolean, asNumber, asOneOf, asText, searchOf, tabsOf } from './search.ts';

const nothing = searchOf({});
/** The order of a list. The first click on a heading sorts by its field. */
const sortedBy = <const Field extends string>(...fields: Field[]) => ({
  sort: asOneOf(...fields),
  order: asOneOf('asc', 'desc'),
});
const paged = searchOf({ page: asNumber });
const assessments = searchOf({
  ...sortedBy(
    'position',
    'title',
    'is_active',
    'place',
    'task_count',
    'max_score',
    'time_limit_minutes',
    'container_image',
  ),
  page: asNumber,
});
const editor = tabsOf({ tasks: {}, texts: {}, machine: {}, trial: {}, settings: {} });
const written = searchOf({ q: asText, is_deleted: asBoolean, page: asNumber });
const attemptsOfStudent = { ...sortedBy('started_at', 'title', 'status', 'score'), page: asNumber };
const next = searchOf({ next: asAddress });
/** Why a login with an identity provider has failed. */
const refused = asOneOf(
  ...(['unavailable', 'denied', 'invalid', 'expired', 'unverified_email', 'account_exists'] as const),
  ...(['taken', 'inactive', 'locked'] as const),
);
const ofRoom = searchOf({
  q: asText,
  group: asOneOf('not_started', 'queued', 'working', 'done', 'stuck', 'attention'),
  task: asNumber,
});

/** The paths of all pages, with the readers of their query strings. */
export const addresses = {
  '/': nothing,
  '/login': searchOf({ next: asAddress, refused }),
  '/register': next,
  '/invitation': nothing,
  '/forgot-password': nothing,
  '/reset-password': nothing,
  '/confirm-address': nothing,
  '/lti': nothing,
  '/verify/$id': nothing,
  '/welcome': paged,
  '/courses': paged,
  '/courses/$courseId': nothing,
  '/lessons/$lessonId': nothing,
  '/sandboxes': nothing,
  '/sandboxes/$containerId': nothing,
  '/exams': nothing,
  '/exams/$assessmentId': nothing,
  '/exams/results/$attemptId': nothing,
  '/laboratories/$assessmentId': nothing,
  '/laboratories/results/$attemptId': nothing,
  '/classes': searchOf({
    q: asText,
    state: asOneOf('archived', 'all'),
    ...sortedBy('name', 'member_count', 'created_at'),
    page: asNumber,
  }),
  '/classes/$classId': tabsOf({
    overview: {},
    members: {
      q: asText,
      role: asOneOf('student', 'assistant', 'instructor'),
      ...sortedBy('username', 'role', 'joined_at'),
      page: asNumber,
    },
    exams: {},
    progress: {
      state: asOneOf('not_begun', 'begun', 'stuck', 'finished'),
      sort: asText,
      order: asOneOf('asc', 'desc'),
      page: asNumber,
    },
    grades: {
      q: asText,
      state: asOneOf('passed', 'failed', 'missing'),
      sort: asText,
      order: asOneOf('asc', 'desc'),
      page: asNumber,
    },
    settings: {},
  }),
  '/classes/$classId/grades/statistics': searchOf({ item: asText }),
  '/classes/$classId/grades/comparison': searchOf({ with: asNumber }),
  '/classes/$classId/sessions/$sessionId': ofRoom,
  '/exam-sessions/$sessionId': ofRoom,
  '/announcements': searchOf({ class_id: asNumber, page: asNumber }),
  '/plan-exam': searchOf({ class_id: asNumber, is_for_chosen: asBoolean }),
  '/notes': paged,
  '/profile': searchOf({ refused }),
  '/teaching/grade-book': searchOf({
    kind: asOneOf('exam', 'laboratory'),
    id: asNumber,
    attempt: asOneOf('best', 'latest'),
    search: asText,
    ...sortedBy('username', 'score'),
    page: asNumber,
  }),
  '/teaching/attempts': searchOf({
    exam_id: asNumber,
    laboratory_id: asNumber,
    user_id: asNumber,
    status: asOneOf('queued', 'in_progress', 'grading', 'finished', 'abandoned', 'expired'),
    passed: asBoolean,
    search: asText,
    ...sortedBy('started_at', 'username', 'title', 'status', 'score'),
    page: asNumber,
  }),
  '/teaching/attempts/$attemptId': tabsOf({
    tasks: {},
    recordings: {},
    history: attemptsOfStudent,
  }),
  '/teaching/grading': searchOf({
    exam_id: asNumber,
    laboratory_id: asNumber,
    session_id: asNumber,
    class_id: asNumber,
    task_id: asNumber,
    work: asText,
  }),
  '/teaching/regrades': searchOf({ exam_id: asNumber, laboratory_id: asNumber, session_id: asNumber, page: asNumber }),
  '/teaching/regrades/$regradeId': nothing,
  '/teaching/live': searchOf({ kind: asOneOf('sandbox', 'exam', 'laboratory'), page: asNumber }),
  '/teaching/live/$containerId': searchOf({ from: asAddress }),
  '/teaching/courses': nothing,
  '/teaching/courses/$courseId': tabsOf({ content: {}, staff: {}, grants: { page: asNumber } }),
  '/teaching/courses/$courseId/repositories': nothing,
  '/teaching/courses/$courseId/written-lessons': written,
  '/teaching/courses/$courseId/written-lessons/$fileId': nothing,
  '/teaching/courses/$courseId/exams': assessments,
  '/teaching/courses/$courseId/exams/$assessmentId': editor,
  '/teaching/courses/$courseId/laboratories/$assessmentId': editor,
  '/administration/users': searchOf({
    q: asText,
    role: asOneOf('student', 'instructor', 'admin'),
    is_active: asBoolean,
    ...sortedBy('id', 'username', 'last_login_at'),
    page: asNumber,
  }),
  '/administration/users/$userId': tabsOf({
    account: {},
    attempts: attemptsOfStudent,
    sandboxes: { ...sortedBy('created_at', 'name', 'status', 'expires_at'), page: asNumber },
    activity: { ...sortedBy('created_at'), page: asNumber },
    settings: {},
  }),
  '/administration/registration-codes': searchOf({
    ...sortedBy('created_at', 'code', 'uses', 'expires_at'),
    page: asNumber,
  }),
  '/administration/identity-providers': paged,
  '/administration/lti': paged,
  '/administration/webhooks': paged,
  '/administration/service-accounts': paged,
  '/administration/courses': nothing,
  '/administration/repositories': nothing,
  '/administration/written-lessons': written,
  '/administration/written-lessons/$fileId': nothing,
  '/administration/exams': assessments,
  '/administration/exams/$assessmentId': editor,
  '/administration/laboratories': assessments,
  '/administration/laboratories/$assessmentId': editor,
  '/administration/templates': tabsOf({ templates: {}, images: { page: asNumber } }),
  '/administration/containers': searchOf({
    user_id: asNumber,
    kind: asOneOf('sandbox', 'exam', 'laboratory'),
    status: asOneOf('creating', 'running', 'stopped', 'failed'),
    ...sortedBy('created_at', 'name', 'username', 'status', 'expires_at'),
    page: asNumber,
  }),
  '/administration/activity': searchOf({
    user_id: asNumber,
    actor_id: asNumber,
    type: asText,
    ...sortedBy('created_at'),
    page: asNumber,
  }),
  '/administration/deletions': paged,
  '/administration/mails': paged,
  '/administration/settings': nothing,
  '/administration/system': nothing,
};

export type Path = keyof typeof addresses;
/** The query string of a page, as it is read. */
export type SearchOf<To extends Path> = ReturnType<(typeof addresses)[To]>;
/** A path without parameters. */
export type PlainPath = Exclude<Path, `${string}$${string}`>;
