import { asAddress, asBoolean, asNumber, asOneOf, asText, searchOf } from './search.ts';

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
const next = searchOf({ next: asAddress });
const ofRoom = searchOf({
  q: asText,
  group: asOneOf('not_started', 'queued', 'working', 'done', 'attention'),
});

/** The paths of all pages, with the readers of their query strings. */
export const addresses = {
  '/': nothing,
  '/login': next,
  '/register': next,
  '/invitation': nothing,
  '/welcome': paged,
  '/courses': paged,
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
    is_archived: asBoolean,
    ...sortedBy('name', 'member_count', 'created_at'),
    page: asNumber,
  }),
  '/classes/$classId': searchOf({
    q: asText,
    role: asOneOf('student', 'assistant', 'instructor'),
    ...sortedBy('username', 'role', 'joined_at'),
    page: asNumber,
  }),
  '/classes/$classId/progress': searchOf({
    state: asOneOf('not_begun', 'begun', 'stuck', 'finished'),
    sort: asText,
    order: asOneOf('asc', 'desc'),
    page: asNumber,
  }),
  '/classes/$classId/grades': searchOf({
    q: asText,
    state: asOneOf('passed', 'failed', 'missing'),
    sort: asText,
    order: asOneOf('asc', 'desc'),
    page: asNumber,
  }),
  '/classes/$classId/grades/statistics': searchOf({ item: asText }),
  '/classes/$classId/my-grades': nothing,
  '/classes/$classId/sessions/$sessionId': ofRoom,
  '/exam-sessions/$sessionId': ofRoom,
  '/announcements': searchOf({ class_id: asNumber, page: asNumber }),
  '/plan-exam': searchOf({ class_id: asNumber, is_for_chosen: asBoolean }),
  '/notes': paged,
  '/profile': nothing,
  '/teaching': nothing,
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
  '/teaching/attempts/$attemptId': nothing,
  '/teaching/live': searchOf({ kind: asOneOf('sandbox', 'exam', 'laboratory'), page: asNumber }),
  '/teaching/live/$containerId': searchOf({ from: asAddress }),
  '/administration/users': searchOf({
    q: asText,
    role: asOneOf('student', 'instructor', 'admin'),
    is_active: asBoolean,
    ...sortedBy('id', 'username', 'last_login_at'),
    page: asNumber,
  }),
  '/administration/registration-codes': searchOf({
    ...sortedBy('created_at', 'code', 'uses', 'expires_at'),
    page: asNumber,
  }),
  '/administration/courses': nothing,
  '/administration/repositories': nothing,
  '/administration/written-lessons': searchOf({ q: asText, is_deleted: asBoolean, page: asNumber }),
  '/administration/written-lessons/$fileId': nothing,
  '/administration/exams': assessments,
  '/administration/exams/$assessmentId': nothing,
  '/administration/laboratories': assessments,
  '/administration/laboratories/$assessmentId': nothing,
  '/administration/templates': nothing,
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
  '/administration/system': nothing,
};

export type Path = keyof typeof addresses;
type NamesIn<Text extends string> = Text extends `${string}$${infer Name}/${infer Rest}`
  ? Name | NamesIn<Rest>
  : Text extends `${string}$${infer Name}`
    ? Name
    : never;
export type ParamsOf<To extends Path> = Record<NamesIn<To>, string>;
export type SearchOf<To extends Path> = ReturnType<(typeof addresses)[To]>;
/** A path without parameters. */
export type PlainPath = { [To in Path]: [NamesIn<To>] extends [never] ? To : never }[Path];

/** The address of a page. */
export type Target<To extends Path> = { to: To; search?: SearchOf<To>; hash?: string } & ([NamesIn<To>] extends [never]
  ? { params?: undefined }
  : { params: ParamsOf<To> });

type AnyTarget = { to: string; params?: Record<string, string> | undefined; search?: object; hash?: string };

export function hrefOf<To extends Path>(target: Target<To>): string {
  const { to, params = {}, search = {}, hash = '' }: AnyTarget = target;
  const path = to.replaceAll(/\$(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) if (value !== undefined) query.set(name, String(value));
  return `${path}${query.size > 0 ? `?${query}` : ''}${hash === '' ? '' : `#${hash}`}`;
}

const patterns = (Object.keys(addresses) as Path[]).map((to) => ({
  to,
  pattern: new RegExp(`^${to.replaceAll(/\$(\w+)/g, '(?<$1>[^/]+)')}/?$`),
}));

/** The page at a path. Undefined where there is none. */
export function matchPath(pathname: string): { to: Path; params: Record<string, string> } | undefined {
  for (const { to, pattern } of patterns) {
    const groups = pattern.exec(pathname)?.groups;
    if (groups || pattern.test(pathname)) return { to, params: decoded(groups ?? {}) };
  }
  return undefined;
}

function decoded(groups: Record<string, string>): Record<string, string> {
  try {
    return Object.fromEntries(Object.entries(groups).map(([name, text]) => [name, decodeURIComponent(text)]));
  } catch {
    return { ...groups };
  }
}
