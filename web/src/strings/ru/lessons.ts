import type { Strings } from '../en/index.ts';
import { plural } from './plural.ts';

export const lessons: Strings['lessons'] = {
  title: 'Курсы',
  lead: 'Читайте, пробуйте всё в собственном терминале и отмечайте пройденное.',
  nothing: 'Курсов пока нет',
  nothingHelp: 'Как только школа откроет курс, он появится здесь.',
  nothingHelpAdmin: 'Создайте первый курс или загрузите тот, что поставляется с платформой.',
  makeCourse: 'Создать курс',
  progress: (done, total) => `${done} из ${total} ${plural(total, 'урока', 'уроков', 'уроков')}`,
  progressLabel: (course) => `Прогресс по курсу «${course}»`,
  begin: 'Начать',
  finished: 'Все уроки пройдены',
  toCourse: 'Открыть курс',
  inactive: 'Закрыт для студентов',
  emptyCourse: 'В этом курсе пока нет уроков.',
  running: 'Сейчас идёт',
  continueTo: (title) => `Дальше: «${title}»`,
  showContents: 'Уроки',
};
