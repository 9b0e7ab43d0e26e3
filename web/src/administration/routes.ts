import { lazyPage } from '../routing/lazy-page.ts';

const staff = ['learning', 'staff'] as const;
const pages = () => import('./administration-pages.ts');

export const administrationRoutes = {
  '/administration/users': lazyPage(pages, 'UsersPage', staff),
  '/administration/users/$userId': lazyPage(pages, 'UserPage', staff),
  '/administration/registration-codes': lazyPage(pages, 'RegistrationCodesPage', staff),
  '/administration/identity-providers': lazyPage(pages, 'IdentityProvidersPage', staff),
  '/administration/lti': lazyPage(pages, 'LtiPlatformsPage', staff),
  '/administration/webhooks': lazyPage(pages, 'WebhooksPage', staff),
  '/administration/service-accounts': lazyPage(pages, 'ServiceAccountsPage', staff),
  '/administration/templates': lazyPage(pages, 'TemplatesPage', staff),
  '/administration/containers': lazyPage(pages, 'ContainersPage', staff),
  '/administration/activity': lazyPage(pages, 'ActivityPage', staff),
  '/administration/deletions': lazyPage(pages, 'DeletionsPage', staff),
  '/administration/mails': lazyPage(pages, 'MailsPage', staff),
  '/administration/settings': lazyPage(pages, 'SettingsPage', staff),
  '/administration/system': lazyPage(pages, 'SystemPage', staff),
};
