import type { Strings } from '../en/index.ts';

export const agenda: Strings['agenda'] = {
  title: 'Даты и сроки',
  exam: 'Экзамен',
  laboratory: 'Лабораторная работа',
  graded: (kind) => `${kind}: проверено`,
  more: (count) => `И ещё ${count}`,
};
