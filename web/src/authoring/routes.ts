import { lazyPage } from '../routing/lazy-page.ts';

const staff = ['learning', 'staff'] as const;
const repositories = lazyPage(() => import('./repositories-page.tsx'), 'RepositoriesPage', staff);

export const authoringRoutes = {
  '/administration/courses': lazyPage(() => import('./course-editor-page.tsx'), 'CourseEditorPage', staff),
  '/administration/repositories': repositories,
};
export const courseStaffRoutes = {
  '/teaching/courses': lazyPage(() => import('./taught-courses-page.tsx'), 'TaughtCoursesPage', staff),
  '/teaching/courses/$courseId': lazyPage(() => import('./taught-course-page.tsx'), 'TaughtCoursePage', staff),
  '/teaching/courses/$courseId/repositories': repositories,
};
