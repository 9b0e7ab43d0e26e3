/** Pages without a session, in one file: each lazy file costs the first load the names of all that it needs. */
export { InvitationPage } from './invitation-page.tsx';
export { LaunchPage } from './launch-page.tsx';
export { ConfirmAddressPage, ForgottenPage, ResetPage } from './mail-links.tsx';
export { RegisterPage } from './register-page.tsx';
export { VerifyPage } from './verify-page.tsx';
