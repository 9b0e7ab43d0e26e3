import { lazyPage } from '../routing/lazy-page.ts';

const staff = ['learning', 'staff'] as const;

export const authoringRoutes = {
  '/administration/courses': lazyPage(() => import('./course-editor-page.tsx'), 'CourseEditorPage', staff),
  '/administration/repositories': lazyPage(() => import('./repositories-page.tsx'), 'RepositoriesPage', staff),
};
