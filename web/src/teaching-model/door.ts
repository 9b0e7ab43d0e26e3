import { createContext, use } from 'react';
import { type Answer, api } from '../api/client.ts';
import { ok } from '../api/problem.ts';

export type TaughtCourse = Answer<'/api/teaching/courses/{course_id}'>;

/**
 * Where the pages of content reach the service: the door of administrators, or that of one course for its staff. Both have the same routes
 * and the same pages, which are written with the paths of administrators.
 */
export type Door = {
  /** Undefined at the door of administrators. */
  course: TaughtCourse | undefined;
  /** Parameters of the addresses of its pages. */
  params: { courseId?: string };
  /** Distinguishes what both doors answer differently, in the keys of queries. */
  key: number | 'all';
  /** A viewer reads everything and changes nothing. */
  mayChange: boolean;
  isOwner: boolean;
  api: Pick<typeof api, 'GET' | 'POST' | 'PUT' | 'DELETE'>;
  /** The path of the service. */
  path: (path: string) => string;
  /** The address of a page. The compiler uses that of administrators. */
  page: <Page extends string>(page: Page) => Page;
};

const adminDoor: Door = {
  ...{ course: undefined, params: {}, key: 'all', mayChange: true, isOwner: true, api },
  path: (path) => path,
  page: (page) => page,
};

/** The door of a course, for one of its staff. Administrators who are not among them may do what owners may. */
export function courseDoor(course: TaughtCourse): Door {
  const role = course.my_role ?? 'owner';
  const own = `/api/teaching/courses/${course.id}`;
  const path = <Path extends string>(given: Path): Path =>
    given
      .replace('/api/admin/lessons/courses/{course_id}', own)
      .replace('/api/admin/lessons/files', `${own}/lesson-files`)
      .replace(/^\/api\/admin(?:\/lessons)?/, own) as Path;
  return {
    ...{ course, params: { courseId: `${course.id}` }, key: course.id, path },
    ...{ mayChange: role !== 'viewer', isOwner: role === 'owner' },
    api: {
      GET: (to, ...rest) => api.GET(path(to), ...rest),
      POST: (to, ...rest) => api.POST(path(to), ...rest),
      PUT: (to, ...rest) => api.PUT(path(to), ...rest),
      DELETE: (to, ...rest) => api.DELETE(path(to), ...rest),
    },
    page: <Page extends string>(page: Page) =>
      page.replace(/^\/administration(?:\/courses)?/, '/teaching/courses/$courseId') as Page,
  };
}

/** What a course may use. */
export type Grants = Answer<'/api/teaching/courses/{course_id}/grants'>;

export const grantsOf = (course_id: number, signal: AbortSignal): Promise<Grants> =>
  ok(api.GET('/api/teaching/courses/{course_id}/grants', { params: { path: { course_id } }, signal }));

export const DoorContext = createContext(adminDoor);

export const useDoor = (): Door => use(DoorContext);
