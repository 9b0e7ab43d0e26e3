import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { user } from '../layout/parent-routes.ts';

export const lessonRoutes = [
  createRoute({
    getParentRoute: () => user,
    path: '/courses',
    component: lazyRouteComponent(() => import('./courses-page.tsx'), 'CoursesPage'),
  }),
  createRoute({
    getParentRoute: () => user,
    path: '/lessons/$themeId',
    component: lazyRouteComponent(() => import('./lesson-page.tsx'), 'LessonPage'),
  }),
] as const;
