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
const exams = lazyPage(list, 'ExamListPage', staff);
const exam = lazyPage(editor, 'ExamEditorPage', staff);
const laboratory = lazyPage(editor, 'LaboratoryEditorPage', staff);

export const assessmentEditorRoutes = {
  '/administration/exams': exams,
  '/administration/exams/$assessmentId': exam,
  '/administration/laboratories': lazyPage(list, 'LaboratoryListPage', staff),
  '/administration/laboratories/$assessmentId': laboratory,
};
export const courseAssessmentRoutes = {
  '/teaching/courses/$courseId/exams': exams,
  '/teaching/courses/$courseId/exams/$assessmentId': exam,
  '/teaching/courses/$courseId/laboratories/$assessmentId': laboratory,
};
