import type { Strings } from '../en/index.ts';

export const search: Strings['search'] = {
  title: 'Поиск',
  label: 'Искать',
  placeholder: 'Слова или "фраза"',
  help: 'Стрелки выбирают результат, Enter открывает его.',
  results: 'Результаты',
  found: (count) => (count === 0 ? 'Ничего не найдено' : `Найдено: ${count}`),
  kinds: {
    lesson: 'Уроки',
    laboratory: 'Лабораторные работы',
    exam: 'Экзамены',
    note: 'Ваши заметки',
    user: 'Пользователи',
    attempt: 'Попытки',
  },
};
