import type { Strings } from '../en/index.ts';

export const agenda: Strings['agenda'] = {
  title: 'Termine und Ergebnisse',
  exam: 'Prüfung',
  laboratory: 'Laborübung',
  graded: (kind) => `${kind}: bewertet`,
  more: (count) => `${count} weitere`,
};
