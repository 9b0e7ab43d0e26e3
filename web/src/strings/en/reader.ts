/** The reader of a lesson, and what opens later. */
export const reader = {
  outline: 'On this page',
  markDone: 'Mark as completed',
  takeBack: 'Mark as not completed',
  completedOn: (date: string) => `Completed on ${date}`,
  previousLesson: 'Previous lesson',
  nextLesson: 'Next lesson',
  neighbours: 'Previous and next lesson',
  noSuchLesson: 'Lesson not found',
  noSuchLessonHelp: 'It may have been moved or deleted. The list of courses shows all lessons.',
  emptyText: 'This lesson has no text yet',
  noTextToComplete: 'It can be marked as completed when it has a text.',
  closed: 'Not open yet',
  opensAt: (time: string) => `Opens on ${time}.`,
  opensAfter: (titles: string) => `Complete first: ${titles}.`,
};
