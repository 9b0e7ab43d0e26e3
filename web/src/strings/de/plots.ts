import { decimalIn } from '../decimal.ts';
import type { Strings } from '../en/index.ts';

const decimal = decimalIn('de');

export const plots: Strings['plots'] = {
  title: 'Ihr Fortschritt',
  days: 'Zeitraum',
  lastDays: (count) => (count === 1 ? 'Letzter Tag' : `Letzte ${count} Tage`),
  trend: (now, before, days) => `${now} in diesen ${days} Tagen, ${before} in den ${days} Tagen davor`,
  perDay: 'Aktivität pro Tag',
  perCourse: 'Fortschritt pro Kurs',
  scores: 'Ergebnisse',
  date: 'Tag',
  course: 'Kurs',
  lessons: 'Abgeschlossene Lektionen',
  attempts: 'Abgegebene Versuche',
  percent: 'Prozent',
  attempt: 'Versuch',
  result: 'Ergebnis',
  passed: 'Bestanden',
  failed: 'Nicht bestanden',
  points: (score, max) => `${decimal(score)} von ${decimal(max)} ${max === 1 ? 'Punkt' : 'Punkten'}`,
  kinds: { exam: 'Prüfung', laboratory: 'Laborübung' },
  asTable: 'Als Tabelle anzeigen',
  noDays: 'In diesem Zeitraum wurde keine Lektion abgeschlossen und kein Versuch abgegeben.',
  noScores: 'Ergebnisse erscheinen hier, wenn eine Prüfung oder Laborübung bewertet ist.',
  ofLessons: (done, total) => `${done} von ${total}`,
  figures: {
    title: 'Ihre Statistik',
    of: (count, total) => `${count} von ${total}`,
    lessons: 'Lektionen abgeschlossen',
    exams: 'Prüfungen bestanden',
    score: 'Ergebnis im Schnitt',
    laboratories: 'Laborübungen bestanden',
    learned: 'Lernzeit',
    hours: (hours) => `${hours} h`,
    streak: 'In Folge',
    longest: 'Längste Serie',
    days: (count) => `${count} ${count === 1 ? 'Tag' : 'Tage'}`,
  },
};
