import { lazyPage } from '../routing/lazy-page.ts';

const staff = ['learning', 'staff'] as const;

export const writtenLessonRoutes = {
  '/administration/written-lessons': lazyPage(() => import('./written-list-page.tsx'), 'WrittenListPage', staff),
  '/administration/written-lessons/$fileId': lazyPage(
    () => import('./written-editor-page.tsx'),
    'WrittenEditorPage',
    staff,
  ),
};
