import { lazyPage } from '../routing/lazy-page.ts';

export const subjectRoutes = {
  '/exams': lazyPage(() => import('./exams-page.tsx'), 'ExamsPage'),
  '/exams/$subjectId': lazyPage(() => import('./subject-page.tsx'), 'ExamPage'),
  '/exams/results/$attemptId': lazyPage(() => import('./subject-results-page.tsx'), 'ExamResultsPage'),
  '/laboratories/$subjectId': lazyPage(() => import('./subject-page.tsx'), 'LaboratoryPage'),
  '/laboratories/results/$attemptId': lazyPage(() => import('./subject-results-page.tsx'), 'LaboratoryResultsPage'),
};
