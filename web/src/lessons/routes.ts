import { lazyPage } from '../routing/lazy-page.ts';

export const lessonRoutes = {
  '/courses': lazyPage(() => import('./courses-page.tsx'), 'CoursesPage', []),
  '/lessons/$lessonId': lazyPage(() => import('./lesson-page.tsx'), 'LessonPage'),
};
