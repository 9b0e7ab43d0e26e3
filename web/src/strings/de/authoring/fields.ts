import type { fields as texts } from '../../en/authoring/fields.ts';

export const fields: typeof texts = {
  drafts: {
    title: 'Ungespeicherte Änderungen',
    restored: (time) => `Ihre ungespeicherten Änderungen vom ${time} sind wiederhergestellt.`,
    outdated: 'Seitdem hat sich etwas geändert: Beim Speichern wird es ersetzt.',
    discard: 'Verwerfen',
    keep: 'Behalten',
  },
};
