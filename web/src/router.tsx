import { createRouter } from '@tanstack/react-router';
import { accountRoutes } from './account/routes.ts';
import { administrationRoutes } from './administration/routes.ts';
import { authoringRoutes } from './authoring/routes.ts';
import { dashboardRoutes } from './dashboard/routes.ts';
import { NotFound, PageCrash } from './layout/errors.tsx';
import { admin, instructor, root, user } from './layout/parent-routes.ts';
import { lessonRoutes } from './lessons/routes.ts';
import { profileRoutes } from './profile/routes.ts';
import { sandboxRoutes } from './sandboxes/routes.ts';
import { subjectRoutes } from './subjects/routes.ts';
import { teachingRoutes } from './teaching/routes.ts';
import { Loading } from './ui/states.tsx';

const routeTree = root.addChildren([
  ...accountRoutes,
  user.addChildren([
    ...dashboardRoutes,
    ...lessonRoutes,
    ...sandboxRoutes,
    ...subjectRoutes,
    ...profileRoutes,
    instructor.addChildren([...teachingRoutes]),
    admin.addChildren([...administrationRoutes, ...authoringRoutes]),
  ]),
]);

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  defaultPendingComponent: () => <Loading />,
  defaultErrorComponent: PageCrash,
  defaultNotFoundComponent: NotFound,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
