import type { Strings } from '../en/index.ts';

const minutesOf = (count: number): string => `${count} ${count === 1 ? 'Minute' : 'Minuten'}`;

export const notifications: Strings['notifications'] = {
  none: 'Es gibt keine Benachrichtigungen.',
  unread: 'ungelesen',
  readAll: 'Alle als gelesen markieren',
  toAnnouncements: 'Alle Ankündigungen',
  toSettings: 'Einstellungen',
  texts: {
    exam_opens: (title, until) => `„${title}“ ist offen bis ${until}`,
    time_left: (title, minutes) => `Noch weniger als ${minutes === 1 ? 'eine Minute' : minutesOf(minutes)}: „${title}“`,
    more_time: (title, minutes) => `Sie haben ${minutesOf(minutes)} mehr Zeit: „${title}“`,
    results: (title) => `Die Ergebnisse von „${title}“ liegen vor`,
    deadline: (title, due) => `„${title}“ ist fällig: ${due}`,
    announcement: (title) => `Ankündigung: ${title}`,
    supervision: (title) => `Sie wurden als Aufsicht hinzugefügt: „${title}“`,
    hand: (name) => `${name} bittet um Hilfe`,
    help: (name) => `${name} kümmert sich um Ihre Meldung`,
    report: (title) => `Eine Aufgabe von „${title}“ wurde gemeldet`,
    report_answer: (title) => `Ihre Meldung zu „${title}“ wurde beantwortet`,
    grade: (title) => `Ihr Ergebnis wurde angesehen: „${title}“`,
    review: (name) => `${name} bittet um Überprüfung eines Ergebnisses`,
    reopen: (name) => `${name} hat versehentlich abgegeben und bittet um den Versuch`,
    reopened: (title) =>
      `Sie haben Ihren Versuch zurück: „${title}“. Programme, die auf der Maschine liefen, müssen neu gestartet werden.`,
    reopen_declined: (title) => `Ihr Versuch bleibt abgegeben: „${title}“`,
    webhook: (host) => `Der Webhook an ${host} ist angehalten, weil Zustellungen fehlschlugen`,
    account_deletion: (until) =>
      `Sie hatten sich lange nicht angemeldet. Ihr Konto sollte am ${until} gelöscht werden. Ihre Anmeldung hat es erhalten.`,
    evidence: (session: string) =>
      `Der Speicherplatz für Belege von Versuchen ist aufgebraucht: die ältesten wurden gelöscht${session && `, auch von ${session}`}`,
  },
  kindsHelp: 'Sie werden benachrichtigt, wenn',
  kinds: {
    exam_opens: 'eine Prüfung öffnet',
    time_left: 'die Zeit einer Prüfung oder Laborübung abläuft',
    more_time: 'Sie mehr Zeit bekommen',
    results: 'Ergebnisse vorliegen',
    deadline: 'eine Laborübung bald fällig ist',
    announcement: 'es eine Ankündigung gibt',
    supervision: 'Sie als Aufsicht eines Prüfungstermins hinzugefügt werden',
  },
  mailsHelp: 'Sie erhalten eine E-Mail, wenn',
  mails: {
    exam_planned: 'eine Prüfung geplant oder verschoben wird',
    results: 'Ergebnisse verfügbar sind',
    feedback: 'Ihre Bitte um Überprüfung beantwortet wurde',
    hands: 'Lernende sich melden und sich niemand kümmert, höchstens einmal in der Stunde',
  },
  unconfirmed: (address: string) =>
    `Sie haben ${address} noch nicht bestätigt, daher werden diese E-Mails nicht gesendet. Der Link kam per E-Mail.`,
  sendLinkAgain: 'Link noch einmal senden',
  linkSent: 'Eine E-Mail mit dem Link ist unterwegs',
  browser: {
    on: 'Dieser Browser zeigt Benachrichtigungen auch, während Sie etwas anderes ansehen.',
    off: 'Benachrichtigungen erscheinen nur auf den Seiten.',
    'not-asked':
      'Dieser Browser kann Benachrichtigungen zeigen, während Sie etwas anderes ansehen. Er fragt Sie zuerst.',
    refused: 'Dieser Browser zeigt keine Benachrichtigungen, weil Sie sie für diese Website blockiert haben.',
    unsupported: 'Dieser Browser kann außerhalb der Seiten keine Benachrichtigungen zeigen.',
  },
  browserOn: 'Im Browser zeigen',
  browserOff: 'Nicht im Browser zeigen',
};
