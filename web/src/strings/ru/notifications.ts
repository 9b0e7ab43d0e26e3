import type { Strings } from '../en/index.ts';
import { plural } from './plural.ts';

const minutesOf = (count: number): string => `${count} ${plural(count, 'минута', 'минуты', 'минут')}`;

export const notifications: Strings['notifications'] = {
  none: 'Уведомлений нет.',
  unread: 'не прочитано',
  readAll: 'Отметить все как прочитанные',
  toAnnouncements: 'Все объявления',
  toSettings: 'Настройки',
  texts: {
    exam_opens: (title, until) => `«${title}» открыт до ${until}`,
    time_left: (title, minutes) =>
      `Осталось меньше ${minutes} ${plural(minutes, 'минуты', 'минут', 'минут')}: «${title}»`,
    more_time: (title, minutes) => `Добавлено время: ${minutesOf(minutes)}, «${title}»`,
    results: (title) => `Доступны результаты: «${title}»`,
    deadline: (title, due) => `«${title}»: сдать до ${due}`,
    announcement: (title) => `Объявление: ${title}`,
    supervision: (title) => `Вас назначили наблюдателем: «${title}»`,
    hand: (name) => `${name} просит о помощи`,
    help: (name) => `На вашу поднятую руку откликается ${name}`,
    report: (title) => `Сообщили о проблеме с заданием: «${title}»`,
    report_answer: (title) => `Ответ на ваше сообщение о задании: «${title}»`,
    grade: (title) => `Ваш результат посмотрели: «${title}»`,
    review: (name) => `${name} просит пересмотреть результат`,
    reopen: (name) => `${name} просит вернуть попытку, отправленную по ошибке`,
    reopened: (title) => `Попытка снова открыта: «${title}». Программы, работавшие на машине, нужно запустить ещё раз.`,
    reopen_declined: (title) => `Попытка остаётся отправленной: «${title}»`,
    webhook: (host) => `Вебхук для ${host} приостановлен из-за сбоев доставки`,
    account_deletion: (until) =>
      `Вы долго не входили в систему, и учётная запись была бы удалена ${until}. Ваш вход её сохранил.`,
    evidence: (session: string) =>
      `Место для материалов попыток исчерпано: самые старые удалены${session && `, в том числе: ${session}`}`,
  },
  kindsHelp: 'Уведомлять, когда',
  kinds: {
    exam_opens: 'открывается экзамен',
    time_left: 'заканчивается время экзамена или лабораторной',
    more_time: 'вам добавили время',
    results: 'доступны результаты',
    deadline: 'скоро срок сдачи лабораторной',
    announcement: 'есть объявление',
    supervision: 'вас назначили наблюдателем экзамена',
  },
  mailsHelp: 'Вы получаете письмо, когда',
  mails: {
    exam_planned: 'экзамен назначен или перенесён',
    results: 'доступны результаты',
    feedback: 'на вашу просьбу о пересмотре ответили',
    hands: 'студенты подняли руку и никто не отвечает, не чаще раза в час',
  },
  unconfirmed: (address: string) =>
    `Адрес ${address} ещё не подтверждён, поэтому эти письма не отправляются. Ссылка пришла по почте.`,
  sendLinkAgain: 'Отправить ссылку ещё раз',
  linkSent: 'Письмо со ссылкой уже в пути',
  browser: {
    on: 'Этот браузер показывает уведомления и тогда, когда вы смотрите на что-то другое.',
    off: 'Уведомления видны только на страницах.',
    'not-asked':
      'Этот браузер может показывать уведомления, когда вы смотрите на что-то другое. Сначала он спросит вас.',
    refused: 'Этот браузер не показывает уведомления: вы запретили их для этого сайта.',
    unsupported: 'Этот браузер не умеет показывать уведомления вне страниц.',
  },
  browserOn: 'Показывать в браузере',
  browserOff: 'Не показывать в браузере',
};
