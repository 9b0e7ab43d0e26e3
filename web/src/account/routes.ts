import { lazyPage } from '../routing/lazy-page.ts';

export const accountRoutes = {
  '/login': lazyPage(() => import('./login-page.tsx'), 'LoginPage', []),
  '/register': lazyPage(() => import('./register-page.tsx'), 'RegisterPage', []),
};
