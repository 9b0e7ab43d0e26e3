import type { settings as texts } from '../../en/administration/settings.ts';

export const settings: typeof texts = {
  settingsLead: 'So sieht die Plattform für alle aus. Änderungen sind sofort sichtbar.',
  logo: 'Logo',
  logoHelp: 'PNG, JPEG, WebP oder GIF bis 5 MiB, oben auf jeder Seite. Es darf breit sein.',
  chooseLogo: 'Logo auswählen',
  removeLogo: 'Logo entfernen',
  look: 'Name und Aussehen',
  siteName: 'Name der Plattform',
  accent: 'Akzentfarbe',
  pickAccent: 'Akzentfarbe auswählen',
  accentHelp: 'Für Schaltflächen und Links. Sie wird dunkler oder heller, wo Text darin nicht lesbar wäre.',
  accentShown: (light, dark) => `Im hellen Design als ${light} dargestellt, im dunklen als ${dark}.`,
  welcome: 'Begrüßung',
  welcomeHelp: 'Markdown, für Besucher auf den Seiten für Anmeldung und Registrierung und auf der Startseite.',
  factorRoles: 'Wer einen zweiten Faktor braucht',
  factorRolesHelp:
    'Diese Rollen richten ihn ein, bevor sie etwas anderes tun können. Wählen Sie die Administration, gilt das auch für Sie.',
  publicCourses: 'Die Liste der Kurse Besuchern ohne Konto zeigen',
  publicCoursesHelp: 'Namen der Kurse und Lektionen, ohne Texte. Kurse nur für Klassen bleiben verborgen.',
  publicByOperator: 'Durch die Umgebung festgelegt: CATALOGUE_IS_OPEN.',
  privacy: {
    title: 'Datenschutz',
    settings: {
      has_recording_consent: 'Lernende fragen, bevor Terminals in Prüfungen aufgezeichnet werden',
      has_kept_results: 'Ergebnisse ohne Namen behalten, wenn ein Konto gelöscht wird',
    },
    help: {
      has_recording_consent:
        'Wer nicht zustimmt, legt die Prüfung genauso ab und wird nicht aufgezeichnet. Sonst werden die Terminals aller Prüfungen aufgezeichnet.',
      has_kept_results:
        'Beendete Versuche, Punkte und Noten bleiben unter einem Pseudonym, damit Notenbücher und Statistiken stimmen. Sonst wird alles gelöscht.',
    },
  },
  retention: {
    title: 'Aufbewahrung von Daten',
    lead: 'In Tagen. Ist ein Feld leer, bleiben die Daten, bis das Konto gelöscht wird. Was älter ist, wird einmal am Tag entfernt.',
    forever: 'bis das Konto gelöscht wird',
    settings: {
      activity_days: 'Einträge im Aktivitätsprotokoll',
      work_days: 'Arbeiten zu Ergebnissen, nach dem Ende eines Versuchs',
      account_days: 'Konten von Studierenden ohne Anmeldung',
    },
    help: {
      activity_days: 'Mindestens 30 Tage.',
      work_days:
        'Antworten und Dateien, Ausgaben von Prüfskripten, Kommentare, Begründungen, Aufzeichnungen und Belege. Punkte und Noten bleiben. Was auf eine Bewertung, eine Überprüfung oder eine Neubewertung wartet, bleibt bis dahin. Mindestens 30 Tage.',
      account_days:
        'Die Betroffenen werden 30 Tage vorher benachrichtigt, und eine Anmeldung erhält das Konto. Konten mit einer offenen oder geplanten Prüfung bleiben, ebenso die von Lehrkräften. Mindestens 180 Tage.',
    },
    set: 'Tage festlegen',
    confirm: 'Vorhandene Daten entfernen?',
    due: {
      activity: (count) => `Einträge im Aktivitätsprotokoll: ${count}`,
      work: (count) => `Versuche, von denen nur die Ergebnisse bleiben: ${count}`,
      accounts: (count) => `Konten, die jetzt benachrichtigt und ohne Anmeldung in 30 Tagen gelöscht werden: ${count}`,
    },
    final: 'Das geschieht innerhalb eines Tages und kann nicht rückgängig gemacht werden.',
  },
  byEnvironment: 'Durch die Umgebung festgelegt',
  byEnvironmentHelp: 'Nur wer den Dienst betreibt, kann dies ändern, mit der Variable unter jeder Einstellung.',
  variables: {
    REGISTRATION: 'Wer sich registrieren darf',
    REGISTRATION_DOMAINS: 'Domains für die Registrierung',
    CATALOGUE_IS_OPEN: 'Liste der Kurse ist öffentlich',
    ANONYMOUS_CATALOGUE: 'API ohne Konto lesbar',
    INSTRUCTOR_SCOPE: 'Wen Lehrkräfte sehen',
    SMTP_URL: 'Mailserver',
    MAIL_SENDER: 'Absender der E-Mails',
    SCHOOL_TIME_ZONE: 'Zeitzone der Schule',
    RECORDING_DAYS: 'Tage, die Aufzeichnungen bleiben',
    EVIDENCE_DAYS: 'Tage, die Belege von Versuchen bleiben',
    DELETED_DAYS: 'Tage, in denen Gelöschtes wiederherstellbar ist',
    NOTIFICATION_DAYS: 'Tage, die Benachrichtigungen bleiben',
  },
  variableValues: {
    true: 'ja',
    false: 'nein',
    open: 'alle',
    domain: 'Adressen der genannten Domains',
    code: 'mit einem Registrierungscode',
    closed: 'niemand',
    all: 'alle',
    classes: 'die ihrer Klassen',
  },
};
