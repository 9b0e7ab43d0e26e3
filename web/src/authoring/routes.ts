import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { admin } from '../layout/parent-routes.ts';
import { asNumber, searchOf } from '../layout/search.ts';

export const authoringRoutes = [
  createRoute({
    getParentRoute: () => admin,
    path: '/administration/courses',
    component: lazyRouteComponent(() => import('./course-editor-page.tsx'), 'CourseEditorPage'),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/administration/exams',
    validateSearch: searchOf({ page: asNumber }),
    component: lazyRouteComponent(() => import('./subject-pages.tsx'), 'ExamListPage'),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/administration/exams/$subjectId',
    component: lazyRouteComponent(() => import('./subject-pages.tsx'), 'ExamEditorPage'),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/administration/laboratories',
    validateSearch: searchOf({ page: asNumber }),
    component: lazyRouteComponent(() => import('./subject-pages.tsx'), 'LaboratoryListPage'),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/administration/laboratories/$subjectId',
    component: lazyRouteComponent(() => import('./subject-pages.tsx'), 'LaboratoryEditorPage'),
  }),
] as const;
