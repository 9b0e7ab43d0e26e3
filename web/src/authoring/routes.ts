import { lazyPage } from '../routing/lazy-page.ts';

const staff = ['learning', 'staff'] as const;

export const authoringRoutes = {
  '/administration/courses': lazyPage(() => import('./course-editor-page.tsx'), 'CourseEditorPage', staff),
  '/administration/repositories': lazyPage(() => import('./repositories-page.tsx'), 'RepositoriesPage', staff),
  '/administration/exams': lazyPage(() => import('./subject-pages.tsx'), 'ExamListPage', staff),
  '/administration/exams/$subjectId': lazyPage(() => import('./subject-pages.tsx'), 'ExamEditorPage', staff),
  '/administration/laboratories': lazyPage(() => import('./subject-pages.tsx'), 'LaboratoryListPage', staff),
  '/administration/laboratories/$subjectId': lazyPage(
    () => import('./subject-pages.tsx'),
    'LaboratoryEditorPage',
    staff,
  ),
};
