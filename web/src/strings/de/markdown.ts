import type { Strings } from '../en/index.ts';

export const markdown: Strings['markdown'] = {
  preview: 'Vorschau',
  edit: 'Bearbeiten',
  previewOf: (field) => `Vorschau: ${field}`,
  empty: 'Noch kein Text.',
};
