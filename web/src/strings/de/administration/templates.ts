import type { templates as texts } from '../../en/administration/templates.ts';

export const templates: typeof texts = {
  templatesLead:
    'Aus diesen Vorlagen erstellen Studierende ihre Sandboxes. Sie werden in dieser Reihenfolge angeboten.',
  newTemplate: 'Neue Vorlage',
  image: 'Image',
  description: 'Beschreibung',
  memory: 'Arbeitsspeicher, MB',
  processors: 'Prozessoren',
  hasInternet: 'Internet',
  hasInternetHelp: 'Sonst hat ein Container keinen Zugang zum Netz.',
  minimumRole: 'Verfügbar für',
  minimumRoleHelp: 'Benutzer mit einer niedrigeren Rolle sehen sie nicht. Gedacht für Vorlagen mit Internet.',
  minimumRoles: {
    student: 'Alle',
    instructor: 'Lehrende und Administration',
    admin: 'Administration',
  },
  offered: 'Wird angeboten',
  offeredShort: 'Angeboten',
  moveUp: (name) => `${name} nach oben`,
  moveDown: (name) => `${name} nach unten`,
  moved: (name, place) => `${name} ist jetzt Nummer ${place}`,
  size: 'Größe',
  sizeOf: (memory, cpus) => `${memory} MB, ${cpus} CPU`,
  deleteTemplateHelp:
    'Daraus erstellte Sandboxes bleiben erhalten. Lektionen mit dieser Vorlage verwenden dann die ihres Abschnitts oder Kurses.',
  noTemplatesTitle: 'Noch keine Vorlagen',
  noTemplatesHelp:
    'Ohne Vorlage können Studierende keine Sandbox erstellen. Laborübungen und Prüfungen haben eigene Images.',
};
