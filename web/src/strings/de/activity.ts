import type { Strings } from '../en/index.ts';

export const activity: Strings['activity'] = {
  title: 'Aktivität',
  empty: 'Noch nichts hier',
  emptyHelp: 'Hier stehen die Lektionen, die Sie abschließen, und die Prüfungen, die Sie ablegen.',
  more: 'Mehr anzeigen',
  types: {
    lesson_complete: (title) => `Lektion „${title}“ abgeschlossen`,
    exam_start: (title) => `Prüfung „${title}“ begonnen`,
    exam_submit: (title) => `Prüfung „${title}“ abgegeben`,
    exam_expire: (title) => `Die Zeit der Prüfung „${title}“ ist abgelaufen`,
    exam_abandon: (title) => `Prüfung „${title}“ aufgegeben`,
    laboratory_start: (title) => `Laborübung „${title}“ begonnen`,
    laboratory_submit: (title) => `Laborübung „${title}“ abgegeben`,
    laboratory_expire: (title) => `Die Zeit der Laborübung „${title}“ ist abgelaufen`,
    laboratory_abandon: (title) => `Laborübung „${title}“ aufgegeben`,
    container_create: (title) => `Maschine ${title} erstellt`,
    container_delete: (title) => `Maschine ${title} gelöscht`,
    container_full: (title) => `Die Maschine ${title} wurde angehalten, weil ihr Speicherplatz voll war`,
    container_yield: (title) =>
      `Die Maschine ${title} wurde angehalten, weil niemand sie benutzte und ihre Ressourcen gebraucht wurden. Ihre Dateien bleiben erhalten`,
    container_evict: (title) =>
      `Die Maschine ${title} wurde gelöscht, weil es zu viele gab und sie am längsten angehalten war`,
    container_replace: (title) =>
      `Der Server der Maschine ${title} ist ausgefallen. Die Maschine wurde ersetzt; ihr Home-Verzeichnis ist auf dem zuletzt gesicherten Stand`,
    register: () => 'Auf der Plattform registriert',
    account_deletion_request: () => 'Sie haben um die Löschung Ihres Kontos gebeten',
    recording_consent: () => 'Sie haben über Aufzeichnungen Ihrer Terminals entschieden',
    passkey_add: (name) => `Sie haben den Passkey ${name} hinzugefügt`,
    passkey_remove: (name) => `Sie haben den Passkey ${name} entfernt`,
    second_factor_set_up: () => 'Sie haben einen zweiten Faktor eingerichtet',
    second_factor_remove: () => 'Sie haben den zweiten Faktor entfernt',
    second_factor_recovery: () => 'Anmeldung mit einem Wiederherstellungscode',
    admin_second_factor_reset: () => 'Die Administration hat Ihren zweiten Faktor zurückgesetzt',
    student_view: (name) => `${name} hat sich Ihre Seiten angesehen`,
  },
};
