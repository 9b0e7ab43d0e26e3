import { decimalIn } from '../decimal.ts';
import type { Strings } from '../en/index.ts';
import { plural } from './plural.ts';

const decimal = decimalIn('ru');

export const plots: Strings['plots'] = {
  title: 'Ваш прогресс',
  days: 'Период',
  lastDays: (count) =>
    `${plural(count, 'Последний', 'Последние', 'Последние')} ${count} ${plural(count, 'день', 'дня', 'дней')}`,
  trend: (now, before, days) => `${now} за эти ${days} дней, ${before} за предыдущие ${days}`,
  perDay: 'Занятия по дням',
  perCourse: 'Прогресс по курсам',
  scores: 'Результаты',
  date: 'День',
  course: 'Курс',
  lessons: 'Пройдено уроков',
  attempts: 'Сдано попыток',
  percent: 'Процент',
  attempt: 'Попытка',
  result: 'Итог',
  passed: 'Сдано',
  failed: 'Не сдано',
  points: (score, max) => `${decimal(score)} из ${decimal(max)} баллов`,
  kinds: { exam: 'Экзамен', laboratory: 'Лабораторная' },
  asTable: 'Показать таблицей',
  noDays: 'За этот период уроков и попыток не было.',
  noScores: 'Результаты появятся, когда будет проверен экзамен или лабораторная работа.',
  ofLessons: (done, total) => `${done} из ${total}`,
  figures: {
    title: 'Ваши показатели',
    of: (count, total) => `${count} из ${total}`,
    lessons: 'Пройдено уроков',
    exams: 'Сдано экзаменов',
    score: 'Средний балл',
    laboratories: 'Сдано лабораторных',
    learned: 'Время учёбы',
    hours: (hours) => `${hours} ч`,
    streak: 'Подряд',
    longest: 'Лучшая серия',
    days: (count) => `${count} ${plural(count, 'день', 'дня', 'дней')}`,
  },
};
