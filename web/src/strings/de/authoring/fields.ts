import type { fields as texts } from '../../en/authoring/fields.ts';

export const fields: typeof texts = {
  previewText: 'Vorschau',
  editText: 'Bearbeiten',
  previewOf: (field) => `Vorschau: ${field}`,
  noPreview: 'Noch kein Text.',
  drafts: {
    title: 'Ungespeicherte Änderungen',
    restored: (time) => `Ihre ungespeicherten Änderungen vom ${time} sind wiederhergestellt.`,
    outdated: 'Seitdem hat sich etwas geändert: Beim Speichern wird es ersetzt.',
    discard: 'Verwerfen',
    keep: 'Behalten',
  },
};
