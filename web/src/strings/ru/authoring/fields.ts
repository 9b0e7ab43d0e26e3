import type { fields as texts } from '../../en/authoring/fields.ts';

export const fields: typeof texts = {
  drafts: {
    title: 'Несохранённые изменения',
    restored: (time) => `Восстановлены ваши несохранённые изменения от ${time}.`,
    outdated: 'С тех пор это изменили: при сохранении те изменения будут заменены.',
    discard: 'Отбросить',
    keep: 'Оставить',
  },
};
