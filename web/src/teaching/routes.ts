import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { instructor } from '../layout/parent-routes.ts';
import { asBoolean, asNumber, asOneOf, asText, searchOf } from '../layout/search.ts';

export const teachingRoutes = [
  createRoute({
    getParentRoute: () => instructor,
    path: '/teaching/grade-book',
    validateSearch: searchOf({
      kind: asOneOf('exam', 'laboratory'),
      id: asNumber,
      attempt: asOneOf('best', 'latest'),
      search: asText,
      page: asNumber,
    }),
    component: lazyRouteComponent(() => import('./grade-book-page.tsx'), 'GradeBookPage'),
  }),
  createRoute({
    getParentRoute: () => instructor,
    path: '/teaching/attempts',
    validateSearch: searchOf({
      exam_id: asNumber,
      laboratory_id: asNumber,
      user_id: asNumber,
      status: asOneOf('in_progress', 'grading', 'finished', 'abandoned', 'expired'),
      passed: asBoolean,
      search: asText,
      page: asNumber,
    }),
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
    validateSearch: searchOf({ kind: asOneOf('sandbox', 'exam', 'laboratory'), page: asNumber }),
    component: lazyRouteComponent(() => import('./live-page.tsx'), 'LivePage'),
  }),
  createRoute({
    getParentRoute: () => instructor,
    path: '/teaching/live/$containerId',
    component: lazyRouteComponent(() => import('./watch-page.tsx'), 'WatchPage'),
  }),
] as const;
