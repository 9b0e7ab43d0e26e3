import type { lists as texts } from '../../en/administration/lists.ts';

export const lists: typeof texts = {
  user: 'Benutzer',
  name: 'Name',
  role: 'Rolle',
  state: 'Status',
  active: 'Aktiv',
  inactive: 'Inaktiv',
  created: 'Erstellt',
  lastLogin: 'Letzte Anmeldung',
  never: 'nie',
  csvSave: 'Als CSV speichern',
};
