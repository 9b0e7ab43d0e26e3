import { lazyPage } from '../routing/lazy-page.ts';

export const lessonRoutes = {
  '/courses': lazyPage(() => import('./courses-page.tsx'), 'CoursesPage', []),
  '/courses/$courseId': lazyPage(() => import('./course-page.tsx'), 'CoursePage'),
  '/lessons/$lessonId': lazyPage(() => import('./lesson-page.tsx'), 'LessonPage'),
};
