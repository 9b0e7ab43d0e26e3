import type { MailTexts } from './en.ts';

export const de: MailTexts = {
  greeting: (name) => (name === '' ? 'Guten Tag,' : `Guten Tag ${name},`),
  fallback: 'Falls die Schaltfläche nicht funktioniert, öffnen Sie diese Adresse:',
  product: 'Lernplattform',
  optional: 'Welche Nachrichten Sie erhalten, wählen Sie in Ihrem Profil:',
  essential: 'Sie erhalten diese Nachricht wegen Ihres Kontos.',
  address: {
    subject: 'Bestätigen Sie Ihre E-Mail-Adresse',
    lines: ({ until }) => [
      `Bitte bestätigen Sie, dass diese Adresse Ihnen gehört. Bis dahin erhalten Sie keine anderen Nachrichten. Der Link gilt bis ${until}.`,
      'Wenn Sie hier kein Konto haben, ignorieren Sie diese Nachricht.',
    ],
    action: 'Adresse bestätigen',
  },
  password: {
    subject: 'Neues Passwort setzen',
    lines: ({ until }) => [
      `Jemand hat ein neues Passwort für Ihr Konto angefordert. Der Link gilt einmal, bis ${until}. Ihre anderen Anmeldungen enden damit.`,
      'Wenn Sie es nicht waren, ignorieren Sie diese Nachricht: Ihr Passwort bleibt, wie es ist.',
    ],
    action: 'Neues Passwort setzen',
  },
  invitation: {
    subject: 'Ihr Konto ist bereit',
    lines: ({ username, until }) => [
      `Für Sie wurde ein Konto angelegt. Ihr Benutzername ist ${username}.`,
      `Wählen Sie mit dem Link unten ein Passwort. Er gilt einmal, bis ${until}.`,
    ],
    action: 'Passwort wählen',
  },
  exam_planned: {
    subject: ({ title }) => `Prüfung geplant: ${title}`,
    lines: ({ title, opens, closes }) => [
      `Die Prüfung „${title}“ ist für Sie geplant.`,
      `Beginn: ${opens}`,
      `Ende: ${closes}`,
    ],
    action: 'Prüfung öffnen',
  },
  exam_moved: {
    subject: ({ title }) => `Prüfung verschoben: ${title}`,
    lines: ({ title, opens, closes }) => [
      `Die Zeit der Prüfung „${title}“ hat sich geändert.`,
      `Beginn jetzt: ${opens}`,
      `Ende jetzt: ${closes}`,
    ],
    action: 'Prüfung öffnen',
  },
  results: {
    subject: ({ title }) => `Ergebnisse: ${title}`,
    lines: ({ title }) => [`Ihre Ergebnisse von „${title}“ sind jetzt einsehbar.`],
    action: 'Ergebnisse ansehen',
  },
  feedback: {
    subject: ({ title }) => `Ihre Bitte um Überprüfung wurde beantwortet: ${title}`,
    lines: ({ title }) => [`Ihre Bitte um eine Überprüfung von „${title}“ wurde beantwortet.`],
    action: 'Antwort lesen',
  },
  hands: {
    subject: ({ count }) => (count === 1 ? 'Eine Meldung' : `${count} Meldungen`),
    lines: ({ count }) => [count === 1 ? 'Jemand bittet um Hilfe:' : `${count} Lernende bitten um Hilfe:`],
    action: 'Lernende ansehen',
  },
  account_deletion: {
    subject: 'Ihr Konto wird gelöscht',
    lines: ({ until }) => [
      `Sie haben sich lange nicht angemeldet. Ihr Konto und was damit gespeichert ist, wird bald nach diesem Zeitpunkt gelöscht: ${until}.`,
      'Melden Sie sich vorher an, um es zu behalten oder um in Ihrem Profil Ihre Daten herunterzuladen.',
    ],
    action: 'Anmelden',
  },
  test: {
    subject: 'Testnachricht',
    lines: () => [
      'Ein Administrator hat diese Nachricht gesendet, um die Einstellungen zu prüfen. E-Mail funktioniert.',
    ],
    action: 'Plattform öffnen',
  },
};
