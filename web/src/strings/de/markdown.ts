import type { Strings } from '../en/index.ts';

export const markdown: Strings['markdown'] = {
  preview: 'Vorschau',
  edit: 'Bearbeiten',
  previewOf: (field) => `Vorschau: ${field}`,
  empty: 'Noch kein Text.',
  newTab: 'öffnet sich in einem neuen Tab',
  noSuchLink: 'Dieser Link führt zu einer Seite, die keine Lektion ist',
  pictureMissing: (alt) => (alt ? `Das Bild „${alt}“ fehlt.` : 'Hier fehlt ein Bild.'),
  pictureElsewhere: (alt) => (alt ? `Bild auf einer anderen Website: ${alt}` : 'Bild auf einer anderen Website'),
  footnotes: 'Fußnoten',
  backToText: 'Zurück zum Text',
  linkToHeading: (heading) => `Link zu „${heading}“`,
  table: (columns) => (columns ? `Tabelle: ${columns}` : 'Tabelle'),
  alerts: { note: 'Hinweis', tip: 'Tipp', important: 'Wichtig', warning: 'Warnung', caution: 'Vorsicht' },
  taskDone: 'Erledigt',
  taskOpen: 'Zu erledigen',
  code: 'Code',
  diagram: 'Diagramm',
  diagramText: 'Text des Diagramms',
  brokenDiagram: 'Dieses Diagramm lässt sich nicht zeichnen. Hier ist sein Text.',
  copyCode: 'Kopieren',
  copied: 'Kopiert',
  copyFailed:
    'Der Browser erlaubt dieser Seite das Kopieren nicht. Markieren Sie den Text und kopieren Sie ihn selbst.',
  run: 'In meinem Terminal ausführen',
};
