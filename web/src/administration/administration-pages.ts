/** All pages of this area, in one file: each lazy file costs the first load the names of all that it needs. */
export { ActivityPage } from './activity-page.tsx';
export { ContainersPage } from './containers-page.tsx';
export { DeletionsPage } from './deletions-page.tsx';
export { IdentityProvidersPage } from './identity-providers-page.tsx';
export { LtiPlatformsPage } from './lti-platforms-page.tsx';
export { MailsPage } from './mails-page.tsx';
export { RegistrationCodesPage } from './registration-codes-page.tsx';
export { ServiceAccountsPage } from './service-accounts-page.tsx';
export { SettingsPage } from './settings-page.tsx';
export { SystemPage } from './system-page.tsx';
export { TemplatesPage } from './templates-page.tsx';
export { UserPage } from './user-page.tsx';
export { UsersPage } from './users-page.tsx';
export { WebhooksPage } from './webhooks-page.tsx';
