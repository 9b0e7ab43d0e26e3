import type { containers as texts } from '../../en/administration/containers.ts';

export const containers: typeof texts = {
  containersLead: 'Container aller Benutzer.',
  container: 'Container',
  kind: 'Art',
  kinds: { sandbox: 'Sandbox', exam: 'Prüfung', laboratory: 'Laborübung' },
  status: 'Status',
  statuses: { creating: 'Wird erstellt', running: 'Läuft', stopped: 'Angehalten', failed: 'Fehlgeschlagen' },
  owner: 'Besitzer',
  ends: 'Endet',
  deleteContainerHelp:
    'Alles darin geht verloren, und offene Terminals werden getrennt. Das lässt sich nicht rückgängig machen.',
  ofAttempt: 'wird mit dem Versuch gelöscht',
  noContainersTitle: 'Keine Container',
  noContainersHelp: 'Sie erscheinen hier, sobald jemand einen startet.',
};
