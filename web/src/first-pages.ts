/** What a page needs first: the paths of its data, exactly as its queries request them, and its script where the document does not name it. */
type FirstPage = { requests: readonly string[]; load?: () => Promise<unknown> };

const activity = '/api/dashboard/activity?page=1&page_size=10';
const stateOfCourses = ['begun', 'new'].map((state) => `/api/lessons/course-summaries?state=${state}&page_size=1`);

/** What visitors without an account see. Its data needs no session. */
export const frontPage: FirstPage = {
  load: () => import('./account/front-page.tsx'),
  requests: ['/api/catalogue?page=1&page_size=50'],
};

/** The pages that visits begin with. test/web/first-load.test.ts compares their requests with those of the pages. */
const pages: readonly { path: RegExp; page: (search: string, id: string) => FirstPage }[] = [
  {
    path: /^\/$/,
    page: () => ({
      requests: [
        '/api/exams/attempts/active?is_optional=true',
        '/api/laboratories/attempts/active',
        ...stateOfCourses,
        ...['/api/exam-sessions', '/api/deadlines'].map((path) => `${path}?page=1&page_size=100`),
        '/api/announcements?is_read=false&page=1&page_size=50',
        ...['exams', 'laboratories'].map((kind) => `/api/${kind}/attempts?page=1&page_size=10`),
        '/api/dashboard/stats',
        '/api/dashboard/analytics?days=60',
        activity,
      ],
    }),
  },
  {
    path: /^\/courses$/,
    page: (search) => ({
      requests: [
        ...['/api/exams/attempts/active?is_optional=true', '/api/laboratories/attempts/active'],
        ...(search === '' ? ['/api/lessons/course-summaries?page=1&page_size=50'] : []),
      ],
    }),
  },
  {
    path: /^\/lessons\/(\d+)$/,
    page: (_search, id) => ({
      load: () => import('./lessons/lesson-page.tsx'),
      requests: [`/api/lessons/themes/${id}`, `/api/lessons/themes/${id}/content`],
    }),
  },
];

/** The page of an address, if it is one that visits begin with. */
export function firstPageAt({ pathname, search }: { pathname: string; search: string }): FirstPage | undefined {
  for (const { path, page } of pages) {
    const found = path.exec(pathname);
    if (found) return page(search, found[1] ?? '');
  }
  return undefined;
}
