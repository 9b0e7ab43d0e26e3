import type { Strings } from '../en/index.ts';

export const markdown: Strings['markdown'] = {
  preview: 'Просмотр',
  edit: 'Изменить',
  previewOf: (field) => `Просмотр: ${field}`,
  empty: 'Текста пока нет.',
};
