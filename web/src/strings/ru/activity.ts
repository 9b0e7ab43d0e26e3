import type { Strings } from '../en/index.ts';

export const activity: Strings['activity'] = {
  title: 'Действия',
  empty: 'Здесь пока пусто',
  emptyHelp: 'Здесь будут пройденные уроки и попытки на экзаменах.',
  more: 'Показать ещё',
  types: {
    lesson_complete: (title) => `Пройден урок «${title}»`,
    exam_start: (title) => `Начат экзамен «${title}»`,
    exam_submit: (title) => `Экзамен «${title}» сдан на проверку`,
    exam_expire: (title) => `Время экзамена «${title}» истекло`,
    exam_abandon: (title) => `Экзамен «${title}» прерван`,
    laboratory_start: (title) => `Начата лабораторная работа «${title}»`,
    laboratory_submit: (title) => `Лабораторная работа «${title}» сдана на проверку`,
    laboratory_expire: (title) => `Время лабораторной работы «${title}» истекло`,
    laboratory_abandon: (title) => `Лабораторная работа «${title}» прервана`,
    container_create: (title) => `Создана машина ${title}`,
    container_delete: (title) => `Удалена машина ${title}`,
    container_full: (title) => `Машина ${title} остановлена: диск заполнен`,
    container_yield: (title) =>
      `Машина ${title} остановлена: понадобилось место, а ею никто не пользовался. Файлы сохранены`,
    container_evict: (title) => `Машина ${title} удалена: машин было слишком много, а она была остановлена дольше всех`,
    container_replace: (title) =>
      `Сервер машины ${title} отказал. Машина заменена, её домашняя папка взята из последней копии`,
    register: () => 'Регистрация на платформе',
    account_deletion_request: () => 'Вы попросили удалить вашу учётную запись',
    recording_consent: () => 'Вы приняли решение о записи ваших терминалов',
    passkey_add: (name) => `Вы добавили ключ доступа ${name}`,
    passkey_remove: (name) => `Вы удалили ключ доступа ${name}`,
    second_factor_set_up: () => 'Вы настроили второй фактор',
    second_factor_remove: () => 'Вы удалили второй фактор',
    second_factor_recovery: () => 'Вход по коду восстановления',
    admin_second_factor_reset: () => 'Администратор сбросил ваш второй фактор',
    student_view: (name) => `Ваши страницы просмотрены: ${name}`,
  },
};
