import { lazyPage } from '../routing/lazy-page.ts';

const open = () => import('./open-pages.ts');

export const accountRoutes = {
  '/login': lazyPage(() => import('./login-page.tsx'), 'LoginPage', []),
  '/invitation': lazyPage(open, 'InvitationPage', []),
  '/verify/$id': lazyPage(open, 'VerifyPage'),
  '/welcome': lazyPage(() => import('./front-page.tsx'), 'FrontPage', []),
  '/forgot-password': lazyPage(open, 'ForgottenPage'),
  '/reset-password': lazyPage(open, 'ResetPage'),
  '/confirm-address': lazyPage(open, 'ConfirmAddressPage'),
  '/lti': lazyPage(open, 'LaunchPage'),
  '/register': lazyPage(open, 'RegisterPage', []),
};
