import type { Strings } from '../en/index.ts';

export const certificates: Strings['certificates'] = {
  title: 'Zertifikate',
  lead: 'Für bestandene Prüfungen und abgeschlossene Kurse. Sie entscheiden, wer die Adresse eines Zertifikats bekommt.',
  create: 'Zertifikat erstellen',
  name: 'Name auf dem Zertifikat',
  nameHelp: 'Jeder mit der Adresse des Zertifikats kann ihn lesen. Mehr wird über Sie nicht gezeigt.',
  created: 'Das Zertifikat ist erstellt',
  pdf: 'PDF',
  credential: 'Open Badge',
  page: 'Prüfseite',
  remove: 'Löschen',
  removeTitle: 'Dieses Zertifikat löschen?',
  removeHelp:
    'Seine Adresse gilt dann nicht mehr, auch auf PDFs, die andere haben. Solange es Ihnen zusteht, können Sie ein neues erstellen.',
  removed: 'Das Zertifikat ist gelöscht',
  withdrawn: 'Zurückgezogen',
  withdrawnBecause: 'Das Zertifikat wurde zurückgezogen, weil sich das Ergebnis geändert hat.',
  kinds: { exam: 'Bestandene Prüfung', course: 'Abgeschlossener Kurs' },
  verify: 'Zertifikat',
  valid: 'Dieses Zertifikat ist gültig.',
  withdrawnOn: (date) => `Dieses Zertifikat wurde am ${date} zurückgezogen.`,
  unknown: 'Dieses Zertifikat gibt es nicht',
  unknownHelp: 'Prüfen Sie die Adresse. Vielleicht wurde es von seinem Inhaber gelöscht.',
  holder: 'Verliehen an',
  date: 'Datum',
  issuer: 'Ausgestellt von',
};
