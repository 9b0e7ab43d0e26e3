import { decimalIn } from '../decimal.ts';
import type { Strings } from '../en/index.ts';

const decimal = decimalIn('de');

export const exams: Strings['exams'] = {
  title: 'Prüfungen',
  lead: 'Jede Prüfung hat ein Zeitlimit. Wo Sie eine Maschine erhalten, wird automatisch bewertet, was Sie dort hinterlassen.',
  emptyTitle: 'Es gibt noch keine Prüfungen',
  emptyHelp: 'Veröffentlichte Prüfungen erscheinen hier. Bereiten Sie sich bis dahin mit den Kursen vor.',
  toCourses: 'Zu den Kursen',
  active: 'Sie haben eine laufende Prüfung',
  details: 'Details',
  detailsOf: (title) => `Details: ${title}`,
  best: (score, max) => `Bestes Ergebnis: ${decimal(score)} von ${decimal(max)}`,
  passed: 'Bestanden',
  notPassed: 'Noch nicht bestanden',
  noAttempts: 'Noch keine. Hier stehen später Ihre Versuche und deren Ergebnisse.',
  start: 'Prüfung starten',
  startTitle: (title) => `„${title}“ starten?`,
  startHelp: (minutes) => `Die Uhr läuft, sobald Ihre Maschine bereit ist. Dann haben Sie ${minutes} Zeit.`,
  recorded:
    'Während der Prüfung wird die Ausgabe Ihrer Terminals aufgezeichnet. Lehrende können die Aufzeichnung ansehen.',
  tasksLater: 'Die Aufgaben sehen Sie, wenn Sie starten.',
  onlyInSessions:
    'Diese Prüfung findet nur zu Prüfungsterminen statt, und für Sie ist keiner geplant. Ihre Lehrkraft kann einen planen.',
  inSessions: 'Nur zu Prüfungsterminen',
  passedAlready: 'Sie haben diese Prüfung bestanden.',
  noTasks: 'Diese Prüfung hat noch keine Aufgaben: Sie endet mit 0 von 0 Punkten.',
  otherActive: (title) => `Bei Ihnen läuft eine andere Prüfung: ${title}. Beenden Sie zuerst diese.`,
  led: 'Diese Prüfung lief schon. Sie sind wieder darin.',
  back: 'Alle Prüfungen',
  rules: {
    time: (minutes) =>
      `Sie haben ${minutes} Zeit. Danach wird Ihre Arbeit bewertet, auch wenn Sie sie nicht abgegeben haben.`,
    container:
      'Sie erhalten für diesen Versuch eine Maschine. Sie können die Seite schließen und zurückkommen. Die Uhr läuft weiter.',
    one: 'Sie können immer nur eine Prüfung gleichzeitig ablegen.',
    again: 'Danach können Sie neu starten.',
    grading: 'Wenn Sie abgeben, wird geprüft, was Sie auf der Maschine getan haben.',
  },
};
