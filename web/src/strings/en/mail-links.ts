/** Pages of links in mails. */
export const mailLinks = {
  forgottenLead: 'Enter the address of your account. A link to set a new password comes by mail.',
  sendLink: 'Send the link',
  linkSent: (address: string) =>
    `If an account has the address ${address}, a mail is on its way. Its link works for 30 minutes.`,
  backToLogin: 'Back to the login',
  newPassword: 'New password',
  passwordChanged: 'Your password is changed, and your other logins have ended.',
  confirmAddress: 'Confirm the address',
  addressConfirmed: 'Your address is confirmed.',
};
