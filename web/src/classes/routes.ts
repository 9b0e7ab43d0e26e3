import { lazyPage } from '../routing/lazy-page.ts';

export const classRoutes = {
  '/classes': lazyPage(() => import('./classes-page.tsx'), 'ClassesPage'),
  // The import and the join codes use texts of the staff's pages.
  '/classes/$classId': lazyPage(() => import('./class-page.tsx'), 'ClassPage', ['learning', 'staff']),
  '/classes/$classId/progress': lazyPage(() => import('./progress-page.tsx'), 'ProgressPage'),
  // Its forms use texts of the staff's pages.
  '/classes/$classId/sessions/$sessionId': lazyPage(() => import('../exam-sessions/room-page.tsx'), 'RoomPage', [
    'learning',
    'staff',
  ]),
  '/exam-sessions/$sessionId': lazyPage(() => import('../exam-sessions/room-page.tsx'), 'ChosenRoomPage', [
    'learning',
    'staff',
  ]),
  '/plan-exam': lazyPage(() => import('../exam-sessions/plan-page.tsx'), 'PlanPage', ['learning', 'staff']),
  '/classes/$classId/grades': lazyPage(() => import('./grades-page.tsx'), 'GradesPage', ['learning', 'staff']),
  '/classes/$classId/grades/statistics': lazyPage(() => import('./grade-statistics-page.tsx'), 'GradeStatisticsPage', [
    'learning',
    'staff',
  ]),
  '/classes/$classId/my-grades': lazyPage(() => import('./own-grades-page.tsx'), 'OwnGradesPage'),
};
