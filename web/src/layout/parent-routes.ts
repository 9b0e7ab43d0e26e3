import { createRootRoute, createRoute, lazyRouteComponent, Outlet, redirect } from '@tanstack/react-router';
import { session } from '../session/session.ts';
import type { User } from '../session/user.ts';
import { NotFound } from './errors.tsx';

const rank: Record<User['role'], number> = { student: 0, instructor: 1, admin: 2 };

/** Keeps out who is not logged in (they come back after it) and who has not the role; the service checks each request anyway. */
function admit(role: User['role']) {
  return ({ location }: { location: { href: string } }) => {
    const { state } = session;
    if (state.status !== 'in' && state.status !== 'expired')
      throw redirect({ to: '/login', search: { next: location.href } });
    if (rank[state.user.role] < rank[role]) throw redirect({ to: '/' });
  };
}

export const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound });

/** Pages with the navigation around them, for everybody who is logged in. */
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
