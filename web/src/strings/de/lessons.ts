import type { Strings } from '../en/index.ts';

export const lessons: Strings['lessons'] = {
  title: 'Kurse',
  lead: 'Lesen Sie die Lektionen, probieren Sie alles im Terminal aus und markieren Sie, was Sie abgeschlossen haben.',
  nothing: 'Es gibt noch keine Kurse',
  nothingHelp: 'Kurse erscheinen hier, sobald Ihre Schule sie öffnet.',
  nothingHelpAdmin: 'Erstellen Sie den ersten Kurs oder importieren Sie einen, der zur Plattform gehört.',
  makeCourse: 'Kurs erstellen',
  progress: (done, total) => `${done} von ${total} ${total === 1 ? 'Lektion' : 'Lektionen'}`,
  progressLabel: (course) => `Fortschritt in ${course}`,
  begin: 'Beginnen',
  finished: 'Alle Lektionen abgeschlossen',
  toCourse: 'Zum Kurs',
  inactive: 'Für Studierende nicht sichtbar',
  emptyCourse: 'Dieser Kurs hat noch keine Lektionen.',
  running: 'Läuft gerade',
  continueTo: (title) => `Weiter zu „${title}“`,
  showContents: 'Lektionen',
};
