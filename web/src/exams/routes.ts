import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { user } from '../layout/parent-routes.ts';

export const examRoutes = [
  createRoute({
    getParentRoute: () => user,
    path: '/exams',
    component: lazyRouteComponent(() => import('./exams-page.tsx'), 'ExamsPage'),
  }),
  createRoute({
    getParentRoute: () => user,
    path: '/exams/$examId',
    component: lazyRouteComponent(() => import('./exam-page.tsx'), 'ExamPage'),
  }),
  createRoute({
    getParentRoute: () => user,
    path: '/exams/results/$attemptId',
    component: lazyRouteComponent(() => import('./exam-results-page.tsx'), 'ExamResultsPage'),
  }),
] as const;
