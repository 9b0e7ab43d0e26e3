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
};
