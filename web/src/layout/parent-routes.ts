import { createRootRoute, createRoute, lazyRouteComponent, Outlet, redirect } from '@tanstack/react-router';
import { session } from '../session/session.ts';
import type { User } from '../session/user.ts';
import { NotFound } from './errors.tsx';

const rank: Record<User['role'], number> = { student: 0, instructor: 1, admin: 2 };

/**
 * Redirects users who are not logged in (they return afterwards), and refuses users without the role. The service checks each request
 * regardless.
 */
function admit(role: User['role']) {
  return ({ location }: { location: { href: string } }) => {
    const { state } = session;
    if (state.status !== 'in' && state.status !== 'expired')
      throw redirect({ to: '/login', search: { next: location.href } });
    if (rank[state.user.role] < rank[role]) throw redirect({ to: '/' });
  };
}

export const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound });

/** Pages with the navigation, for all logged-in users. */
export const user = createRoute({
  getParentRoute: () => root,
  id: 'user',
  component: lazyRouteComponent(() => import('./shell.tsx'), 'Shell'),
  beforeLoad: admit('student'),
});

export const instructor = createRoute({
  getParentRoute: () => user,
  id: 'instructor',
  beforeLoad: admit('instructor'),
});

export const admin = createRoute({ getParentRoute: () => user, id: 'admin', beforeLoad: admit('admin') });
