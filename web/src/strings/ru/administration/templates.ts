import type { templates as texts } from '../../en/administration/templates.ts';

export const templates: typeof texts = {
  templatesLead: 'Из чего студенты делают песочницы, в этом порядке.',
  newTemplate: 'Новый шаблон',
  image: 'Образ',
  description: 'Описание',
  memory: 'Память, МБ',
  processors: 'Процессоры',
  hasInternet: 'Интернет',
  hasInternetHelp: 'Без него у контейнера совсем нет сети.',
  minimumRole: 'Кому доступен',
  minimumRoleHelp: 'Пользователи с более низкой ролью его не видят. Пригодится для шаблонов с интернетом.',
  minimumRoles: {
    student: 'Всем',
    instructor: 'Преподавателям и администраторам',
    admin: 'Администраторам',
  },
  offered: 'Доступен',
  offeredShort: 'Доступен',
  moveUp: (name) => `Выше: ${name}`,
  moveDown: (name) => `Ниже: ${name}`,
  moved: (name, place) => `${name}: теперь место ${place}`,
  size: 'Размер',
  sizeOf: (memory, cpus) => `${memory} МБ, ${cpus} CPU`,
  deleteTemplateHelp:
    'Песочницы, сделанные из него, останутся. Для уроков с ним останется шаблон их раздела или курса.',
  noTemplatesTitle: 'Шаблонов ещё нет',
  noTemplatesHelp: 'Без них студенты не могут делать песочницы. У лабораторных и экзаменов свои образы.',
};
