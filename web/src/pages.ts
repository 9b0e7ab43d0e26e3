import type { RouteComponent } from '@tanstack/react-router';
import { hasFrontPage } from './account/has-front-page.ts';
import { accountRoutes } from './account/routes.ts';
import { administrationRoutes } from './administration/routes.ts';
import { announcementRoutes } from './announcements/routes.ts';
import type { SessionState } from './api/session.ts';
import type { User } from './api/user.ts';
import { assessmentEditorRoutes, assessmentRoutes, courseAssessmentRoutes } from './assessments/routes.ts';
import { authoringRoutes, courseStaffRoutes } from './authoring/routes.ts';
import { classRoutes } from './classes/routes.ts';
import { dashboardRoutes } from './dashboard/routes.ts';
import { examSessionRoutes } from './exam-sessions/routes.ts';
import { lessonRoutes } from './lessons/routes.ts';
import { noteRoutes } from './notes/routes.ts';
import { profileRoutes } from './profile/routes.ts';
import type { Path } from './routing/addresses.ts';
import { sandboxRoutes } from './sandboxes/routes.ts';
import { teachingRoutes } from './teaching/routes.ts';
import { courseWrittenLessonRoutes, writtenLessonRoutes } from './written-lessons/routes.ts';

const studentRoutes = {
  ...dashboardRoutes,
  ...lessonRoutes,
  ...sandboxRoutes,
  ...assessmentRoutes,
  ...classRoutes,
  ...examSessionRoutes,
  ...announcementRoutes,
  ...noteRoutes,
  ...profileRoutes,
};
const instructorRoutes = {
  ...teachingRoutes,
  ...courseStaffRoutes,
  ...courseAssessmentRoutes,
  ...courseWrittenLessonRoutes,
};
const adminRoutes = { ...administrationRoutes, ...authoringRoutes, ...assessmentEditorRoutes, ...writtenLessonRoutes };

export const pages: Record<Path, RouteComponent> = {
  ...accountRoutes,
  ...studentRoutes,
  ...instructorRoutes,
  ...adminRoutes,
};

const rank: Record<User['role'], number> = { student: 0, instructor: 1, admin: 2 };

/** The lowest role that may see a page. Undefined for pages that need no login. */
export function roleFor(to: Path | undefined): User['role'] | undefined {
  if (to === undefined || to in accountRoutes) return undefined;
  if (to in adminRoutes) return 'admin';
  return to in instructorRoutes ? 'instructor' : 'student';
}

/**
 * Where a visitor without a session is led instead of a page that needs one: to the front page or the login, from which they return. The
 * service checks each request regardless.
 * @param href of the page
 */
export function redirectFrom(to: Path | undefined, href: string, state: SessionState): string | undefined {
  // The overview of the staff stands on the dashboard. Its old address may be bookmarked.
  if (href === '/teaching') return '/';
  // And so may those of pages that are tabs of another one.
  const tab = /^\/classes\/(\d+)\/(?:(progress)|(?:my-)?(grades))(?:\?(.*))?$/.exec(href);
  if (tab) return `/classes/${tab[1]}?tab=${tab[2] ?? tab[3]}${tab[4] ? `&${tab[4]}` : ''}`;
  const role = roleFor(to);
  if (to === '/welcome' && !hasFrontPage) return '/login';
  if (role === undefined) return undefined;
  const isOut = state.status !== 'in' && state.status !== 'expired';
  if (isOut && to === '/' && hasFrontPage) return '/welcome';
  return isOut ? `/login?${new URLSearchParams({ next: href })}` : undefined;
}

/** Whether the user's role may see a page. */
export function maySee(to: Path | undefined, state: SessionState): boolean {
  const role = roleFor(to);
  if (role === undefined || (state.status !== 'in' && state.status !== 'expired')) return true;
  return rank[state.user.role] >= rank[role];
}
