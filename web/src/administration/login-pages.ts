/** From where users log in, in one file: each lazy file costs the first load the names of all that it needs. */
export { IdentityProvidersPage } from './identity-providers-page.tsx';
export { LtiPlatformsPage } from './lti-platforms-page.tsx';
export { RegistrationCodesPage } from './registration-codes-page.tsx';
