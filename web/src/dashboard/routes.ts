import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { user } from '../layout/parent-routes.ts';

export const dashboardRoutes = [
  createRoute({
    getParentRoute: () => user,
    path: '/',
    component: lazyRouteComponent(() => import('./dashboard-page.tsx'), 'DashboardPage'),
  }),
] as const;
