import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { user } from '../layout/parent-routes.ts';

export const sandboxRoutes = [
  createRoute({
    getParentRoute: () => user,
    path: '/sandboxes',
    component: lazyRouteComponent(() => import('./sandboxes-page.tsx'), 'SandboxesPage'),
  }),
  createRoute({
    getParentRoute: () => user,
    path: '/sandboxes/$containerId',
    component: lazyRouteComponent(() => import('./sandbox-page.tsx'), 'SandboxPage'),
  }),
] as const;
