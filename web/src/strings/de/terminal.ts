import type { Strings } from '../en/index.ts';

export const terminal: Strings['terminal'] = {
  label: 'Terminal',
  states: {
    connecting: 'Verbindung wird aufgebaut',
    open: 'Verbunden',
    reconnecting: 'Verbindung unterbrochen. Sie wird wiederhergestellt',
    waiting: 'Die Maschine wurde angehalten. Das Terminal wartet, bis sie wieder läuft',
    ended: 'Die Shell ist beendet.',
    gone: 'Diese Maschine gibt es nicht mehr, oder ihre Zeit ist abgelaufen.',
    notRunning: 'Die Maschine läuft nicht.',
    notFound: 'Diese Maschine gibt es nicht, oder niemand hat ein Terminal auf ihr geöffnet.',
    tooMany:
      'Zu viele Terminals sind offen. Schließen Sie eine Shell dieser Maschine oder ein anderes Terminal und versuchen Sie es erneut.',
    forbidden: 'Diese Seite darf hier keine Terminals öffnen.',
    watchedOnly: 'Sie sehen nur zu. Ihre Tastatureingaben werden nicht gesendet.',
    takenOver: 'Dieses Terminal wurde in einem anderen Fenster oder auf einem anderen Gerät geöffnet.',
    unreachable:
      'Die Maschine antwortet nicht. Versuchen Sie es erneut. Eine Prüfung oder Laborübung können Sie trotzdem abgeben, eine Sandbox zurücksetzen.',
  },
  resumed: 'Weiter, wo Sie aufgehört haben',
  watched: 'Eine Lehrkraft sieht bei diesem Terminal zu',
  diskNearlyFull:
    'Der Speicherplatz dieser Maschine ist fast voll. Löschen Sie Dateien, sonst wird die Maschine angehalten.',
  diskFull: 'Diese Maschine wurde angehalten, weil ihr Speicherplatz voll war.',
  held: 'Die Uhr steht. Sie können weiterschreiben, sobald sie wieder läuft.',
  newShell: 'Die vorige Shell ist beendet. Dies ist eine neue.',
  screenLost: 'Der Dienst hat seine Kopie dieses Bildschirms verloren. Ihre Shell läuft weiter.',
  replaced: (keptAt) =>
    keptAt === undefined
      ? 'Der Server dieser Maschine ist ausgefallen. Die Maschine wurde ersetzt. Dateien sind keine erhalten.'
      : `Der Server dieser Maschine ist ausgefallen. Die Maschine wurde ersetzt. Ihr Home-Verzeichnis hat wieder den Stand von ${keptAt}. Andere Änderungen sind verloren.`,
  openNew: 'Neue Shell öffnen',
  takeBack: 'Hier weiterarbeiten',
  elsewhere: (count) =>
    count === 1
      ? 'Ihre Shell ist in einem anderen Fenster offen.'
      : `Ihre ${count} Shells sind in anderen Fenstern offen.`,
  elsewhereHelp: 'Hier geht es an derselben Stelle weiter. Das andere Fenster wird getrennt, und nichts geht verloren.',
  goesOn: (minutes) =>
    minutes === 0
      ? 'Endet, wenn Sie diese Seite verlassen'
      : `Läuft noch ${minutes} min weiter, wenn Sie diese Seite verlassen`,
  reconnect: 'Neu verbinden',
  late: (keys) => (keys === 1 ? '1 Taste wartet auf den Dienst' : `${keys} Tasten warten auf den Dienst`),
  plain: 'Eine einfache Shell, ohne Ihre Startdateien',
  find: 'Im Terminal suchen',
  findNext: 'Nächster Treffer',
  findPrevious: 'Voriger Treffer',
  fullScreen: 'Vollbild (Ctrl+Shift+Enter)',
  leaveFullScreen: 'Vollbild beenden (Ctrl+Shift+Enter)',
  fontLarger: 'Größere Schrift',
  fontSmaller: 'Kleinere Schrift',
  leave: 'Ctrl+Shift+Pfeil nach unten verlässt das Terminal',
  secondsLeft: (seconds) => (seconds >= 60 ? `noch ${Math.round(seconds / 60)} min` : `noch ${seconds} s`),
  screenReader: 'Für Screenreader: Ausgabe vorlesen',
  notFound: 'Nicht gefunden',
  findCase: 'Groß-/Kleinschreibung beachten',
  matches: (index, count) => (index === undefined ? `${count} oder mehr` : `${index} von ${count}`),
  more: 'Shells, Dateien und Einstellungen',
  tabs: {
    label: 'Shells dieser Maschine',
    shell: 'Shell',
    open: 'Neue Shell',
    openWithKeys: 'Neue Shell (Ctrl+Shift+S)',
    openPlain: 'Neue einfache Shell, ohne Startdateien',
    close: (name) => `Shell ${name} schließen`,
    rename: 'Diese Shell umbenennen',
    name: 'Name',
    nameHelp:
      'Ohne Namen hat eine Shell eine Nummer. Ctrl+Shift+Pfeil nach links oder rechts wechselt zwischen den Shells.',
  },
  files: {
    upload: 'Datei hochladen',
    download: 'Datei herunterladen',
    file: 'Datei',
    path: 'Pfad auf der Maschine',
    pathHelp: 'Ein relativer Pfad beginnt im aktuellen Verzeichnis der Shell.',
    uploadPath: 'Pfad auf der Maschine',
    uploadPathHelp: 'Mit dem Namen der Datei. Ein relativer Pfad beginnt im aktuellen Verzeichnis der Shell.',
    uploaded: (path) => `Hochgeladen: ${path}`,
    drop: 'Loslassen, um in das aktuelle Verzeichnis der Shell hochzuladen',
    replaceTitle: 'Datei ersetzen?',
    replaceHelp: (path) => `Auf der Maschine gibt es ${path} schon.`,
    replace: 'Ersetzen',
  },
  keys: {
    label: 'Tasten',
    control: 'Ctrl, für die nächste Taste',
    alt: 'Alt, für die nächste Taste',
    tab: 'Tabulatortaste',
    escape: 'Esc-Taste',
    ArrowLeft: 'Pfeil nach links',
    ArrowDown: 'Pfeil nach unten',
    ArrowUp: 'Pfeil nach oben',
    ArrowRight: 'Pfeil nach rechts',
  },
  paste: {
    title: (lines) => `${lines} Zeilen einfügen?`,
    help: 'Die Shell führt womöglich jede Zeile sofort aus.',
    action: 'Einfügen',
    setting: 'Vor dem Einfügen mehrerer Zeilen fragen',
    choices: { auto: 'Wenn die Shell sie ausführen würde', always: 'Immer', never: 'Nie' },
  },
  notCopied:
    'Der Browser lässt diese Seite nicht kopieren. Markieren Sie den Text und kopieren Sie ihn über das Menü des Browsers.',
  shortcuts: {
    title: 'Tasten des Terminals',
    keys: {
      text: 'Vom Terminal zum Text und zurück',
      leave: 'Zu den Schaltflächen über dem Terminal',
      fullScreen: 'Vollbild und zurück',
      find: 'Im Terminal suchen',
      copy: 'Auswahl kopieren',
      paste: 'Einfügen',
      newTab: 'Neue Shell',
      switchTab: 'Vorige oder nächste Shell',
    },
  },
  typeface: 'Schriftart',
  typefaces: { system: 'System', sans: 'Modern', typewriter: 'Schreibmaschine' },
};
