import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { user } from '../layout/parent-routes.ts';

export const profileRoutes = [
  createRoute({
    getParentRoute: () => user,
    path: '/profile',
    component: lazyRouteComponent(() => import('./profile-page.tsx'), 'ProfilePage'),
  }),
] as const;
