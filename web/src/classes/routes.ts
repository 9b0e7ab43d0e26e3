import { lazyPage } from '../routing/lazy-page.ts';

export const classRoutes = {
  '/classes': lazyPage(() => import('./classes-page.tsx'), 'ClassesPage'),
  // The import and the join codes use texts of the staff's pages.
  '/classes/$classId': lazyPage(() => import('./class-page.tsx'), 'ClassPage', ['learning', 'staff']),
  '/classes/$classId/grades/statistics': lazyPage(
    () => import('./grades/grade-statistics-page.tsx'),
    'GradeStatisticsPage',
    ['learning', 'staff'],
  ),
  '/classes/$classId/grades/comparison': lazyPage(
    () => import('./grades/grade-comparison-page.tsx'),
    'GradeComparisonPage',
    ['learning', 'staff'],
  ),
};
