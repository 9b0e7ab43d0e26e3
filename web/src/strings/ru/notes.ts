import type { Strings } from '../en/index.ts';

export const notes: Strings['notes'] = {
  title: 'Заметки и закладки',
  privacy: 'Их видите только вы.',
  ofLesson: (count) => (count === 0 ? 'Заметки' : `Заметки (${count})`),
  text: 'Заметка',
  textHelp: 'Без текста это закладка. Чтобы выбрать другой абзац, сначала щёлкните по нему в уроке.',
  noParagraph: 'На экране нет ни одного абзаца.',
  none: 'У вас пока нет заметок',
  noneHelp: 'Откройте урок и выберите «Заметки» над текстом.',
  hiddenLesson: 'Урок, который вам больше не виден',
  remove: (excerpt) => `Удалить заметку к «${excerpt}»`,
  removeTitle: 'Удалить эту заметку?',
  removeHelp: 'Удаление можно отменить сразу, но не позже.',
  removed: 'Заметка удалена',
  goOnReading: 'Перейти туда, где вы остановились',
};
