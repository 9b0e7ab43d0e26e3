import type { Strings } from '../en/index.ts';

export const search: Strings['search'] = {
  nothingFits: 'Nichts entspricht den Filtern',
  clearFilters: 'Filter zurücksetzen',
  title: 'Suche',
  label: 'Suchen nach',
  placeholder: 'Wörter oder "ein Satzteil"',
  help: 'Die Pfeiltasten wählen ein Ergebnis, Enter öffnet es. Auch Seiten werden über ihren Namen gefunden, zum Beispiel „Prüfung planen“.',
  results: 'Ergebnisse',
  found: (count) => (count === 0 ? 'Nichts gefunden' : count === 1 ? '1 Ergebnis' : `${count} Ergebnisse`),
  kinds: {
    command: 'Seiten und Aktionen',
    opened: 'Zuletzt geöffnet',
    lesson: 'Lektionen',
    laboratory: 'Laborübungen',
    exam: 'Prüfungen',
    note: 'Ihre Notizen',
    user: 'Benutzer',
    attempt: 'Versuche',
  },
};
