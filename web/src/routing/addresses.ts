import { asAddress, asBoolean, asNumber, asOneOf, asText, searchOf } from './search.ts';

const nothing = searchOf({});
const paged = searchOf({ page: asNumber });
const next = searchOf({ next: asAddress });

/** The paths of all pages, with the readers of their query strings. */
export const addresses = {
  '/': nothing,
  '/login': next,
  '/register': next,
  '/courses': paged,
  '/lessons/$themeId': nothing,
  '/sandboxes': nothing,
  '/sandboxes/$containerId': nothing,
  '/exams': nothing,
  '/exams/$subjectId': nothing,
  '/exams/results/$attemptId': nothing,
  '/laboratories/$subjectId': nothing,
  '/laboratories/results/$attemptId': nothing,
  '/classes': searchOf({ q: asText, is_archived: asBoolean, page: asNumber }),
  '/classes/$classId': searchOf({ q: asText, role: asOneOf('student', 'assistant', 'instructor'), page: asNumber }),
  '/classes/$classId/progress': searchOf({
    state: asOneOf('not_begun', 'begun', 'stuck', 'finished'),
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
  '/classes/$classId/sessions/$sessionId': searchOf({
    q: asText,
    group: asOneOf('not_started', 'queued', 'working', 'done', 'attention'),
  }),
  '/announcements': searchOf({ class_id: asNumber, page: asNumber }),
  '/plan-exam': searchOf({ class_id: asNumber }),
  '/notes': paged,
  '/profile': nothing,
  '/teaching/grade-book': searchOf({
    kind: asOneOf('exam', 'laboratory'),
    id: asNumber,
    attempt: asOneOf('best', 'latest'),
    search: asText,
    page: asNumber,
  }),
  '/teaching/attempts': searchOf({
    exam_id: asNumber,
    laboratory_id: asNumber,
    user_id: asNumber,
    status: asOneOf('queued', 'in_progress', 'grading', 'finished', 'abandoned', 'expired'),
    passed: asBoolean,
    search: asText,
    page: asNumber,
  }),
  '/teaching/attempts/$attemptId': nothing,
  '/teaching/live': searchOf({ kind: asOneOf('sandbox', 'exam', 'laboratory'), page: asNumber }),
  '/teaching/live/$containerId': nothing,
  '/administration/users': searchOf({
    q: asText,
    role: asOneOf('student', 'instructor', 'admin'),
    is_active: asBoolean,
    page: asNumber,
  }),
  '/administration/registration-codes': paged,
  '/administration/courses': nothing,
  '/administration/repositories': nothing,
  '/administration/exams': paged,
  '/administration/exams/$subjectId': nothing,
  '/administration/laboratories': paged,
  '/administration/laboratories/$subjectId': nothing,
  '/administration/templates': nothing,
  '/administration/containers': searchOf({
    user_id: asNumber,
    kind: asOneOf('sandbox', 'exam', 'laboratory'),
    status: asOneOf('creating', 'running', 'stopped', 'failed'),
    page: asNumber,
  }),
  '/administration/activity': searchOf({ user_id: asNumber, actor_id: asNumber, type: asText, page: asNumber }),
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
