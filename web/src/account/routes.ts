import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../layout/parent-routes.ts';

/** Where to go after logging in: a path of ours, never another site's address. */
const nextPath = (search: Record<string, unknown>): { next?: string } =>
  typeof search['next'] === 'string' && /^\/(?![/\\])/.test(search['next']) ? { next: search['next'] } : {};

export const accountRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/login',
    validateSearch: nextPath,
    component: lazyRouteComponent(() => import('./login-page.tsx'), 'LoginPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/register',
    validateSearch: nextPath,
    component: lazyRouteComponent(() => import('./register-page.tsx'), 'RegisterPage'),
  }),
] as const;
