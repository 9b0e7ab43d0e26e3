import { lazyPage } from '../routing/lazy-page.ts';

const staff = ['learning', 'staff'] as const;
const logins = () => import('./login-pages.ts');

export const administrationRoutes = {
  '/administration/users': lazyPage(() => import('./users-page.tsx'), 'UsersPage', staff),
  '/administration/users/$userId': lazyPage(() => import('./user-page.tsx'), 'UserPage', staff),
  '/administration/registration-codes': lazyPage(logins, 'RegistrationCodesPage', staff),
  '/administration/identity-providers': lazyPage(logins, 'IdentityProvidersPage', staff),
  '/administration/lti': lazyPage(logins, 'LtiPlatformsPage', staff),
  '/administration/webhooks': lazyPage(() => import('./webhooks-page.tsx'), 'WebhooksPage', staff),
  '/administration/service-accounts': lazyPage(
    () => import('./service-accounts-page.tsx'),
    'ServiceAccountsPage',
    staff,
  ),
  '/administration/templates': lazyPage(() => import('./templates-page.tsx'), 'TemplatesPage', staff),
  '/administration/containers': lazyPage(() => import('./containers-page.tsx'), 'ContainersPage', staff),
  '/administration/activity': lazyPage(() => import('./activity-page.tsx'), 'ActivityPage', staff),
  '/administration/deletions': lazyPage(() => import('./deletions-page.tsx'), 'DeletionsPage', staff),
  '/administration/mails': lazyPage(() => import('./mails-page.tsx'), 'MailsPage', staff),
  '/administration/settings': lazyPage(() => import('./settings-page.tsx'), 'SettingsPage', staff),
  '/administration/system': lazyPage(() => import('./system-page.tsx'), 'SystemPage', staff),
};
