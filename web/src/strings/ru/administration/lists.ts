import type { lists as texts } from '../../en/administration/lists.ts';

export const lists: typeof texts = {
  user: 'Пользователь',
  name: 'Имя',
  role: 'Роль',
  state: 'Состояние',
  active: 'Активен',
  inactive: 'Отключён',
  created: 'Создан',
  lastLogin: 'Последний вход',
  never: 'не входил',
  csvSave: 'Сохранить CSV',
};
