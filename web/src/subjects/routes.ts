import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { user } from '../layout/parent-routes.ts';

export const subjectRoutes = [
  createRoute({
    getParentRoute: () => user,
    path: '/exams',
    component: lazyRouteComponent(() => import('./exams-page.tsx'), 'ExamsPage'),
  }),
  createRoute({
    getParentRoute: () => user,
    path: '/exams/$subjectId',
    component: lazyRouteComponent(() => import('./subject-page.tsx'), 'ExamPage'),
  }),
  createRoute({
    getParentRoute: () => user,
    path: '/exams/results/$attemptId',
    component: lazyRouteComponent(() => import('./subject-results-page.tsx'), 'ExamResultsPage'),
  }),
  createRoute({
    getParentRoute: () => user,
    path: '/laboratories/$subjectId',
    component: lazyRouteComponent(() => import('./subject-page.tsx'), 'LaboratoryPage'),
  }),
  createRoute({
    getParentRoute: () => user,
    path: '/laboratories/results/$attemptId',
    component: lazyRouteComponent(() => import('./subject-results-page.tsx'), 'LaboratoryResultsPage'),
  }),
] as const;
