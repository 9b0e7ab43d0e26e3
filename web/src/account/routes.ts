import { lazyPage } from '../routing/lazy-page.ts';

export const accountRoutes = {
  '/login': lazyPage(() => import('./login-page.tsx'), 'LoginPage', []),
  '/invitation': lazyPage(() => import('./invitation-page.tsx'), 'InvitationPage', []),
  '/welcome': lazyPage(() => import('./front-page.tsx'), 'FrontPage', []),
  '/register': lazyPage(() => import('./register-page.tsx'), 'RegisterPage', []),
};
