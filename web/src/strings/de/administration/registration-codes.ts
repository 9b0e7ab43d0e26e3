import type { registrationCodes as texts } from '../../en/administration/registration-codes.ts';

export const registrationCodes: typeof texts = {
  codesLead: 'Mit einem Code können sich Studierende selbst registrieren.',
  codesUnused: {
    open: 'Die Registrierung ist offen: Niemand braucht einen Code.',
    domain: 'Für die Registrierung zählt die E-Mail-Domain: Niemand braucht einen Code.',
    closed: 'Die Registrierung ist geschlossen, auch mit Code.',
  },
  codesUnusedHelp: 'Mit REGISTRATION=code werden Codes verlangt.',
  newCode: 'Neuer Code',
  code: 'Code',
  note: 'Notiz',
  noteHelp: 'Für wen er ist, zum Beispiel für eine Klasse',
  uses: 'Verwendet',
  usesOf: (uses, most) => `${uses} von ${most}`,
  maxUses: 'Wie oft verwendbar',
  maxUsesHelp: 'Leer: unbegrenzt.',
  expires: 'Gültig bis',
  expiresHelp: 'Leer: unbefristet.',
  codeStates: { valid: 'Gültig', expired: 'Abgelaufen', usedUp: 'Aufgebraucht' },
  codeCreated: (code) => `Der Code lautet ${code}`,
  withdraw: 'Widerrufen',
  withdrawTitle: (code) => `${code} widerrufen?`,
  withdrawHelp: 'Damit kann sich niemand mehr registrieren. Bereits registrierte Konten bleiben erhalten.',
  withdrawn: (code) => `${code} ist widerrufen`,
  noCodesTitle: 'Noch keine Codes',
  noCodesHelp: 'Erstellen Sie einen und geben Sie ihn einer Klasse.',
};
