import type { Strings } from '../en/index.ts';
import { plural } from './plural.ts';

export const account: Strings['account'] = {
  login: 'Войти',
  logout: 'Выйти',
  register: 'Зарегистрироваться',
  loginTitle: 'Вход',
  loginLead: 'Учитесь администрировать системы на практике: уроки, терминалы, лабораторные работы и экзамены.',
  invitationTitle: 'Добро пожаловать',
  invitationLead: 'Придумайте пароль для своей учётной записи.',
  setPassword: 'Задать пароль',
  registerTitle: 'Новая учётная запись',
  username: 'Имя пользователя',
  usernameHelp: "От 2 до 64 букв, цифр или знаков _ . - + ' (или весь ваш адрес почты)",
  usernameOrEmail: 'Имя пользователя или почта',
  email: 'Эл. почта',
  fullName: 'Полное имя',
  password: 'Пароль',
  passwordHelp: 'Не меньше 8 символов',
  code: 'Код регистрации',
  codeHelp: 'Его даёт преподаватель. Дефисы и регистр букв не важны.',
  domainHelp: (domains) => `Только с адресом в ${domains}`,
  closed: 'Регистрация закрыта. Попросите учётную запись у администратора.',
  noAccount: 'Ещё нет учётной записи?',
  haveAccount: 'Уже есть учётная запись?',
  wrong: 'Неверное имя пользователя или пароль.',
  expiredTitle: 'Войдите снова',
  expiredLead: (name) => `Ваш сеанс закончился, ${name}. Войдите и продолжайте: на этой странице ничего не потеряно.`,
  otherUser: 'Войти под другим именем',
  replacedTitle: 'Вошёл другой пользователь',
  replacedLead: (name) =>
    `В другой вкладке этого браузера вошли под другим именем. На этой странице работает ${name}, пока её не перезагрузят или не закроют. После этого в браузере работает другой пользователь.`,
  replacedSwitch: 'Продолжить под другим именем',
  noCourses: 'Открытых курсов пока нет. Войдите, чтобы увидеть курсы своих групп.',
  lessons: (count) => `${count} ${plural(count, 'урок', 'урока', 'уроков')}`,
  laboratories: (count) =>
    `${count} ${plural(count, 'лабораторная работа', 'лабораторные работы', 'лабораторных работ')}`,
  exams: (count) => `${count} ${plural(count, 'экзамен', 'экзамена', 'экзаменов')}`,
  duration: (minutes) =>
    minutes < 60 ? `${minutes} мин` : `${Math.floor(minutes / 60)} ч${minutes % 60 > 0 ? ` ${minutes % 60} мин` : ''}`,
  laboratory: 'Лабораторная работа',
};
