import type { serviceAccounts as texts } from '../../en/administration/service-accounts.ts';

export const serviceAccounts: typeof texts = {
  serviceAccounts: {
    title: 'Dienstkonten',
    show: 'Alle Dienstkonten',
    lead: 'Konten der Programme der Schule. Ihre Tokens gelten weiter, wenn die Person aus der Verwaltung geht, die sie angelegt hat.',
    add: 'Dienstkonto hinzufügen',
    noneTitle: 'Keine Dienstkonten',
    noneHelp:
      'Legen Sie eines für ein Programm an, das Daten der Schule lesen oder ändern soll, etwa einen Stundenplan.',
    name: 'Programm',
    nameHelp: 'Das Protokoll zeigt diesen Namen bei allem, was das Programm tut.',
    roleHelp: 'Was das Programm höchstens darf. Jedes seiner Tokens erlaubt einen Teil davon.',
    tokens: 'Tokens',
    tokensOf: (name: string) => `Tokens von ${name}`,
    noTokens: 'Es hat keine Tokens.',
    lastUsed: 'Zuletzt benutzt',
    never: 'nie',
    delete: (name: string) => `${name} beenden`,
    deleteTitle: 'Dieses Dienstkonto beenden?',
    deleteHelp:
      'Seine Tokens werden gelöscht, und Programme, die sie benutzen, werden abgewiesen. Was es angelegt hat, bleibt.',
  },
};
