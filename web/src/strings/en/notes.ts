/** Notes and bookmarks in lessons. */
export const notes = {
  title: 'Notes and bookmarks',
  privacy: 'Only you see them.',
  ofLesson: (count: number) => (count === 0 ? 'Notes' : `Notes (${count})`),
  text: 'Note',
  textHelp: 'Without a text it is a bookmark. To choose another paragraph, click it in the lesson first.',
  noParagraph: 'There is no paragraph in view.',
  none: 'You have no notes yet',
  noneHelp: 'Open a lesson and choose “Notes” above the text.',
  hiddenLesson: 'A lesson that you can no longer see',
  remove: (excerpt: string) => `Delete the note at “${excerpt}”`,
  removeTitle: 'Delete this note?',
  removeHelp: 'You can undo this right afterwards, but not later.',
  removed: 'The note is deleted',
  goOnReading: 'Go to where you stopped reading',
};
