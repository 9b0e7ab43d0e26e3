import { lazyPage } from '../routing/lazy-page.ts';

export const noteRoutes = {
  '/notes': lazyPage(() => import('./notes-page.tsx'), 'NotesPage'),
};
