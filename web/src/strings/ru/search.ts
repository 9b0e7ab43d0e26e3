import type { Strings } from '../en/index.ts';

export const search: Strings['search'] = {
  nothingFits: 'Под фильтры ничего не подходит',
  clearFilters: 'Сбросить фильтры',
  title: 'Поиск',
  label: 'Искать',
  placeholder: 'Слова или "фраза"',
  help: 'Стрелки выбирают результат, Enter открывает его. Страницы тоже находятся по названию, например «запланировать экзамен».',
  results: 'Результаты',
  found: (count) => (count === 0 ? 'Ничего не найдено' : `Найдено: ${count}`),
  kinds: {
    command: 'Страницы и действия',
    opened: 'Открывали недавно',
    lesson: 'Уроки',
    laboratory: 'Лабораторные работы',
    exam: 'Экзамены',
    note: 'Ваши заметки',
    user: 'Пользователи',
    attempt: 'Попытки',
  },
};
