import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../layout/parent-routes.ts';

const nextPath = ({ next }: Record<string, unknown>): { next?: string } => (typeof next === 'string' ? { next } : {});

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
