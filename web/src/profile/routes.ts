import { lazyPage } from '../routing/lazy-page.ts';

export const profileRoutes = {
  '/profile': lazyPage(() => import('./profile-page.tsx'), 'ProfilePage'),
};
