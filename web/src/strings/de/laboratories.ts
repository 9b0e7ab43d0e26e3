import { decimalIn } from '../decimal.ts';
import type { Strings } from '../en/index.ts';

const decimal = decimalIn('de');

export const laboratories: Strings['laboratories'] = {
  title: 'Laborübung',
  start: 'Laborübung starten',
  noTasks: 'Diese Laborübung hat noch keine Aufgaben: Sie endet mit 0 von 0 Punkten.',
  noAttempts: 'Noch keine.',
  passedCount: (done, all) => `${done} von ${all} bestanden`,
  passedHelp: 'Lassen Sie Ihre Arbeit prüfen, um zu sehen, was bestanden ist. Das geht beliebig oft.',
  back: 'Kurse',
  check: 'Jetzt prüfen',
  checkAgain: 'Noch einmal prüfen',
  checking: 'Wird geprüft',
  checkedAll: 'Alle Aufgaben sind bestanden. Geben Sie ab, wenn Sie so weit sind.',
  checkedSome: (passed, all) => `Bisher sind ${passed} von ${all} Aufgaben bestanden.`,
  checkFailed: 'Die Prüfskripte konnten nicht laufen. Es ist nichts verloren. Versuchen Sie es noch einmal.',
  score: (score, max) => `bisher ${decimal(score)} von ${decimal(max)} ${max === 1 ? 'Punkt' : 'Punkten'}`,
  rules: {
    check:
      'Sie können Ihre Arbeit beliebig oft prüfen lassen. Sie sehen die Ausgabe jedes Prüfskripts und machen weiter.',
    hints: 'Zu manchen Aufgaben können Sie einen Tipp anzeigen.',
    container: 'Sie erhalten für diesen Versuch eine Maschine. Sie können die Seite schließen und zurückkommen.',
    noLimit:
      'Es gibt kein Zeitlimit. Eine liegen gelassene Laborübung wird nach etwa einem Tag so bewertet, wie sie dann ist.',
    limit: (minutes) => `Sie haben ${minutes} Zeit. Danach wird Ihre Arbeit so bewertet, wie sie dann ist.`,
    submit:
      'Geben Sie ab, wenn Sie fertig sind. Damit endet der Versuch, und sein Ergebnis bleibt erhalten. Sie können neu starten.',
  },
};
