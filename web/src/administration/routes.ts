import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { admin } from '../layout/parent-routes.ts';
import { asBoolean, asNumber, asOneOf, asText, searchOf } from '../layout/search.ts';

export const administrationRoutes = [
  createRoute({
    getParentRoute: () => admin,
    path: '/administration/users',
    validateSearch: searchOf({
      q: asText,
      role: asOneOf('student', 'instructor', 'admin'),
      is_active: asBoolean,
      page: asNumber,
    }),
    component: lazyRouteComponent(() => import('./users-page.tsx'), 'UsersPage'),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/administration/registration-codes',
    validateSearch: searchOf({ page: asNumber }),
    component: lazyRouteComponent(() => import('./registration-codes-page.tsx'), 'RegistrationCodesPage'),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/administration/templates',
    component: lazyRouteComponent(() => import('./templates-page.tsx'), 'TemplatesPage'),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/administration/containers',
    validateSearch: searchOf({
      user_id: asNumber,
      kind: asOneOf('sandbox', 'exam', 'laboratory'),
      status: asOneOf('creating', 'running', 'stopped', 'failed'),
      page: asNumber,
    }),
    component: lazyRouteComponent(() => import('./containers-page.tsx'), 'ContainersPage'),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/administration/activity',
    validateSearch: searchOf({ user_id: asNumber, actor_id: asNumber, type: asText, page: asNumber }),
    component: lazyRouteComponent(() => import('./activity-page.tsx'), 'ActivityPage'),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/administration/system',
    component: lazyRouteComponent(() => import('./system-page.tsx'), 'SystemPage'),
  }),
] as const;
