import type { Strings } from '../en/index.ts';

/** The reader of a lesson, and what opens later. */
export const reader: Strings['reader'] = {
  outline: 'Auf dieser Seite',
  markDone: 'Als abgeschlossen markieren',
  takeBack: 'Als nicht abgeschlossen markieren',
  completedOn: (date) => `Abgeschlossen am ${date}`,
  previousLesson: 'Vorige Lektion',
  nextLesson: 'Nächste Lektion',
  neighbours: 'Vorige und nächste Lektion',
  noSuchLesson: 'Lektion nicht gefunden',
  noSuchLessonHelp: 'Vielleicht wurde sie verschoben oder gelöscht. Die Liste der Kurse zeigt alle Lektionen.',
  emptyText: 'Diese Lektion hat noch keinen Text',
  noTextToComplete: 'Sie lässt sich als abgeschlossen markieren, sobald sie einen Text hat.',
  closed: 'Noch nicht geöffnet',
  opensAt: (time) => `Öffnet am ${time}.`,
  opensAfter: (titles) => `Zuerst abschließen: ${titles}.`,
  open: 'Öffnen',
  whatNext: 'Was Sie als Nächstes lernen können',
  stepOf: {
    lesson: 'Noch nicht abgeschlossene Lektion',
    laboratory: 'Noch nicht bestandene Laborübung',
    exam: 'Noch nicht bestandene Prüfung',
  },
  nextCourse: 'Ein anderer Kurs',
  allDone: 'Sie haben hier alles abgeschlossen',
  allDoneHelp:
    'Alle Lektionen sind abgeschlossen, und alles andere in diesem Kurs ist bestanden. Es gibt keinen weiteren Kurs.',
  noSuchCourse: 'Kurs nicht gefunden',
  noSuchCourseHelp:
    'Vielleicht wurde er gelöscht, oder er ist nicht für Sie geöffnet. Die Kursliste zeigt alle, die es sind.',
  teachers: (names: string[]) => `Leitung: ${names.join(', ')}`,
  emptySection: 'Noch keine Lektionen',
  laboratory: (title) => `Laborübung: ${title}`,
  exam: (title) => `Prüfung: ${title}`,
  passed: 'Bestanden',
  notPassed: 'Nicht bestanden',
  passedOf: {
    laboratory: (passed, total) => `${passed} von ${total} ${total === 1 ? 'Laborübung' : 'Laborübungen'} bestanden`,
    exam: (passed, total) => `${passed} von ${total} ${total === 1 ? 'Prüfung' : 'Prüfungen'} bestanden`,
  },
  contents: 'Lektionen dieses Kurses',
  backToCourses: 'Alle Kurse',
  readingTime: (minutes) => `${minutes} min`,
  done: 'Abgeschlossen',
  notDone: 'Nicht abgeschlossen',
};
