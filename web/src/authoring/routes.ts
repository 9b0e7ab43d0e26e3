import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { admin } from '../layout/parent-routes.ts';

export const authoringRoutes = [
  createRoute({
    getParentRoute: () => admin,
    path: '/administration/courses',
    component: lazyRouteComponent(() => import('./course-editor-page.tsx'), 'CourseEditorPage'),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/administration/exams',
    component: lazyRouteComponent(() => import('./exam-list-page.tsx'), 'ExamListPage'),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/administration/exams/$examId',
    component: lazyRouteComponent(() => import('./exam-editor-page.tsx'), 'ExamEditorPage'),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/administration/laboratories',
    component: lazyRouteComponent(() => import('./laboratory-list-page.tsx'), 'LaboratoryListPage'),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/administration/laboratories/$laboratoryId',
    component: lazyRouteComponent(() => import('./laboratory-editor-page.tsx'), 'LaboratoryEditorPage'),
  }),
] as const;
