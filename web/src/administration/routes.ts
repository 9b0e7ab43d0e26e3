import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { admin } from '../layout/parent-routes.ts';

export const administrationRoutes = [
  createRoute({
    getParentRoute: () => admin,
    path: '/administration/users',
    component: lazyRouteComponent(() => import('./users-page.tsx'), 'UsersPage'),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/administration/templates',
    component: lazyRouteComponent(() => import('./templates-page.tsx'), 'TemplatesPage'),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/administration/containers',
    component: lazyRouteComponent(() => import('./containers-page.tsx'), 'ContainersPage'),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/administration/activity',
    component: lazyRouteComponent(() => import('./activity-page.tsx'), 'ActivityPage'),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/administration/system',
    component: lazyRouteComponent(() => import('./system-page.tsx'), 'SystemPage'),
  }),
] as const;
