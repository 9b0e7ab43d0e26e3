import type { Strings } from '../en/index.ts';

export const help: Strings['help'] = {
  raise: 'Поднять руку',
  text: 'Что вам нужно?',
  textHelp: 'Одна строка, необязательно. Помогающие прочтут её и могут смотреть ваш терминал.',
  own: 'Ваша поднятая рука',
  waiting: (ahead) => `Вы подняли руку. ${ahead === 0 ? 'Вы следующий в очереди.' : `Перед вами: ${ahead}.`}`,
  coming: (name) => `Вам помогает ${name}.`,
  lower: 'Опустить',
  hide: 'Скрыть',
  queue: 'Поднятые руки',
  take: 'Иду',
  takenBy: (name) => `Помогает ${name}`,
  answer: 'Ответить',
  answerTo: (name) => `Ответ: ${name}`,
  answerText: 'Текст',
  answerHelp: 'Ответ закрывает вопрос. Студент прочтёт его рядом с терминалом.',
  done: 'Готово',
};
