import type { Strings } from '../en/index.ts';

/** The reader of a lesson, and what opens later. */
export const reader: Strings['reader'] = {
  outline: 'На этой странице',
  markDone: 'Отметить пройденным',
  takeBack: 'Снять отметку',
  completedOn: (date) => `Пройдено ${date}`,
  previousLesson: 'Предыдущий урок',
  nextLesson: 'Следующий урок',
  neighbours: 'Предыдущий и следующий уроки',
  noSuchLesson: 'Такого урока нет',
  noSuchLessonHelp: 'Возможно, он перемещён или удалён. В списке курсов есть всё, что доступно сейчас.',
  emptyText: 'В этом уроке пока нет текста',
  noTextToComplete: 'Его можно будет отметить пройденным, когда появится текст.',
  closed: 'Ещё не открыто',
  opensAt: (time) => `Откроется ${time}.`,
  opensAfter: (titles) => `Сначала: ${titles}.`,
};
