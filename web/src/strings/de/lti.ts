import type { lti as en } from '../en/lti.ts';

export const lti: typeof en = {
  title: 'Aus Ihrem Kurs',
  none: 'Öffnen Sie diese Seite mit einem Link in einem Kurs Ihres Lernmanagementsystems.',
  over: 'Dieser Aufruf ist vorbei. Öffnen Sie den Link in Ihrem Kurs noch einmal.',
  refused: {
    unavailable: 'Das Lernmanagementsystem antwortet nicht. Versuchen Sie es noch einmal.',
    denied: 'Das Lernmanagementsystem hat den Aufruf abgelehnt. Melden Sie sich dort noch einmal an.',
    invalid: 'Die Nachricht des Lernmanagementsystems ist ungültig. Sagen Sie es der Administration.',
    expired:
      'Dieser Aufruf ist abgelaufen oder wurde in einem anderen Browser begonnen. Öffnen Sie den Link in Ihrem Kurs noch einmal.',
    unverified_email: 'Ihre E-Mail-Adresse ist nicht bestätigt.',
    no_class: 'Ihre Lehrkraft hat diesen Kurs noch nicht verbunden. Kommen Sie später wieder.',
    unknown_deployment:
      'Diese Einbindung des Lernmanagementsystems ist hier nicht bekannt. Sagen Sie es der Administration: Das Log dieses Dienstes nennt sie.',
    account_exists: 'Es gibt schon ein Konto mit Ihrer E-Mail-Adresse. Sagen Sie es der Administration.',
    taken: 'Ihr Konto ist mit einer anderen Person des Lernmanagementsystems verbunden.',
    inactive: 'Dieses Konto ist deaktiviert.',
    locked: 'Dieses Konto schreibt in einer anderen Anmeldung eine Prüfung. Bitten Sie die Aufsicht, es freizugeben.',
  },
  confirm: (name) => `Ihr Browser behält hier keine Cookies. Sind Sie ${name}?`,
  confirmHelp: 'Wenn nicht, schließen Sie diese Seite: Jemand anderes hat Ihnen seinen Link geschickt.',
  goOn: (name) => `Weiter als ${name}`,
  course: (title) => `Welche Klasse folgt dem Kurs „${title}“?`,
  courseHelp: 'Seine Mitglieder treten der Klasse bei ihrem ersten Aufruf bei.',
  class: 'Klasse',
  newClass: (title) => `Eine neue Klasse: ${title}`,
  choose: 'Diese Klasse verwenden',
  notInstructor: 'Bitten Sie die Administration, Sie zur Lehrkraft zu machen. Öffnen Sie dann den Link noch einmal.',
  item: 'Was zeigt der Link?',
  itemHelp:
    'Lektionen, Laborübungen und Prüfungstermine der Klasse. Geben Sie der Klasse Kurse und Termine, um mehr zu sehen.',
  noItems: 'Die Klasse hat noch keine Lektionen, Laborübungen oder Prüfungstermine. Geben Sie ihr einen Kurs.',
  toClass: 'Klasse öffnen',
  find: 'Suchen',
  kinds: { lesson: 'Lektion', laboratory: 'Laborübung', exam_session: 'Prüfungstermin' },
  use: (title) => `${title} auswählen`,
};
