import type { Strings } from '../en/index.ts';

export const signals: Strings['signals'] = {
  title: 'Hinweise',
  notice:
    'Während dieser Prüfung zählt der Dienst lange Einfügungen in Terminals, die Netze, aus denen Sie arbeiten, die Zeit bis zur ersten Taste und wie ähnlich Befehle in der Klasse sind. Menschen sehen es sich an; es ändert keine Note. Sie können es mit Ihren Ergebnissen lesen.',
  staffHelp: 'Anlass, genauer hinzusehen, zum Beispiel in der Aufzeichnung. Sie beweisen nichts und ändern keine Note.',
  ownHelp: 'Was während Ihres Versuchs gezählt wurde. Es ändert keine Note, und Ihre Eingaben wurden nicht aufbewahrt.',
  firstKey: (seconds) =>
    seconds === null
      ? 'In keinem Terminal wurde getippt.'
      : `Die erste Taste wurde nach ${seconds} s in einem Terminal gedrückt.`,
  pastes: (count, longest) =>
    count === 0
      ? 'Keine lange Einfügung in ein Terminal.'
      : `Lange Einfügungen in Terminals: ${count}, die längste mit ${longest} Zeichen. Auch Eingaben, die auf eine unterbrochene Verbindung gewartet haben, zählen.`,
  networks: (count) =>
    count === 0
      ? 'Kein Terminal wurde geöffnet.'
      : count === 1
        ? 'Die Terminals wurden aus einem Netz geöffnet.'
        : `Die Terminals wurden aus ${count} Netzen geöffnet. Auch ein anderes Gerät oder ein Mobilfunknetz ist eines.`,
  commands: (count) => `Eingegebene Befehle: ${count}.`,
  alike:
    'Die Hälfte der Befehle oder mehr, in dieser Reihenfolge, gleicht denen von (gleiche Aufgaben führen zu ähnlichen Befehlen):',
  none: 'Noch ist kein Versuch zu Ende, in dem ein Terminal geöffnet wurde',
};
