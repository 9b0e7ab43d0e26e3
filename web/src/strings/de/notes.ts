import type { Strings } from '../en/index.ts';

export const notes: Strings['notes'] = {
  title: 'Notizen und Lesezeichen',
  privacy: 'Nur Sie sehen sie.',
  ofLesson: (count) => (count === 0 ? 'Notizen' : `Notizen (${count})`),
  text: 'Notiz',
  textHelp:
    'Ohne Text ist es ein Lesezeichen. Um einen anderen Absatz zu wählen, klicken Sie ihn zuerst in der Lektion an.',
  noParagraph: 'Es ist kein Absatz zu sehen.',
  none: 'Sie haben noch keine Notizen',
  noneHelp: 'Öffnen Sie eine Lektion und wählen Sie „Notizen“ über dem Text.',
  hiddenLesson: 'Eine Lektion, die für Sie nicht mehr sichtbar ist',
  remove: (excerpt) => `Notiz bei „${excerpt}“ löschen`,
  removeTitle: 'Diese Notiz löschen?',
  removeHelp: 'Sie können das gleich danach rückgängig machen, aber nicht später.',
  removed: 'Die Notiz ist gelöscht',
  goOnReading: 'Dort weiterlesen, wo Sie aufgehört haben',
};
