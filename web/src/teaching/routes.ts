import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { instructor } from '../layout/parent-routes.ts';

export const teachingRoutes = [
  createRoute({
    getParentRoute: () => instructor,
    path: '/teaching/grade-book',
    component: lazyRouteComponent(() => import('./grade-book-page.tsx'), 'GradeBookPage'),
  }),
  createRoute({
    getParentRoute: () => instructor,
    path: '/teaching/attempts',
    component: lazyRouteComponent(() => import('./attempts-page.tsx'), 'AttemptsPage'),
  }),
  createRoute({
    getParentRoute: () => instructor,
    path: '/teaching/attempts/$attemptId',
    component: lazyRouteComponent(() => import('./attempt-page.tsx'), 'AttemptPage'),
  }),
  createRoute({
    getParentRoute: () => instructor,
    path: '/teaching/live',
    component: lazyRouteComponent(() => import('./live-page.tsx'), 'LivePage'),
  }),
  createRoute({
    getParentRoute: () => instructor,
    path: '/teaching/live/$containerId',
    component: lazyRouteComponent(() => import('./watch-page.tsx'), 'WatchPage'),
  }),
] as const;
