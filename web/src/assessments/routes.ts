import { lazyPage } from '../routing/lazy-page.ts';

export const assessmentRoutes = {
  '/exams': lazyPage(() => import('./exams-page.tsx'), 'ExamsPage'),
  '/exams/$assessmentId': lazyPage(() => import('./assessment-page.tsx'), 'ExamPage'),
  '/exams/results/$attemptId': lazyPage(() => import('./results-page.tsx'), 'ExamResultsPage'),
  '/laboratories/$assessmentId': lazyPage(() => import('./assessment-page.tsx'), 'LaboratoryPage'),
  '/laboratories/results/$attemptId': lazyPage(() => import('./results-page.tsx'), 'LaboratoryResultsPage'),
};

const staff = ['learning', 'staff'] as const;
const list = () => import('./editor/list-page.tsx');
const editor = () => import('./editor/editor-page.tsx');

export const assessmentEditorRoutes = {
  '/administration/exams': lazyPage(list, 'ExamListPage', staff),
  '/administration/exams/$assessmentId': lazyPage(editor, 'ExamEditorPage', staff),
  '/administration/laboratories': lazyPage(list, 'LaboratoryListPage', staff),
  '/administration/laboratories/$assessmentId': lazyPage(editor, 'LaboratoryEditorPage', staff),
};
