import { lazyPage } from '../routing/lazy-page.ts';

const staff = ['learning', 'staff'] as const;
const list = lazyPage(() => import('./written-list-page.tsx'), 'WrittenListPage', staff);
const editor = lazyPage(() => import('./written-editor-page.tsx'), 'WrittenEditorPage', staff);

export const writtenLessonRoutes = {
  '/administration/written-lessons': list,
  '/administration/written-lessons/$fileId': editor,
};
export const courseWrittenLessonRoutes = {
  '/teaching/courses/$courseId/written-lessons': list,
  '/teaching/courses/$courseId/written-lessons/$fileId': editor,
};
