import type { mailLinks as en } from '../en/mail-links.ts';

export const mailLinks: typeof en = {
  forgottenLead: 'Geben Sie die Adresse Ihres Kontos ein. Ein Link für ein neues Passwort kommt per E-Mail.',
  sendLink: 'Link senden',
  linkSent: (address: string) =>
    `Wenn ein Konto die Adresse ${address} hat, ist eine Nachricht unterwegs. Ihr Link gilt 30 Minuten.`,
  backToLogin: 'Zurück zur Anmeldung',
  newPassword: 'Neues Passwort',
  passwordChanged: 'Ihr Passwort ist geändert, und Ihre anderen Anmeldungen sind beendet.',
  confirmAddress: 'Adresse bestätigen',
  addressConfirmed: 'Ihre Adresse ist bestätigt.',
};
