import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { user } from '../layout/parent-routes.ts';

export const laboratoryRoutes = [
  createRoute({
    getParentRoute: () => user,
    path: '/laboratories/$laboratoryId',
    component: lazyRouteComponent(() => import('./laboratory-page.tsx'), 'LaboratoryPage'),
  }),
  createRoute({
    getParentRoute: () => user,
    path: '/laboratories/results/$attemptId',
    component: lazyRouteComponent(() => import('./laboratory-results-page.tsx'), 'LaboratoryResultsPage'),
  }),
] as const;
