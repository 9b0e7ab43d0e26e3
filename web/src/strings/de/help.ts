import type { Strings } from '../en/index.ts';

export const help: Strings['help'] = {
  raise: 'Melden',
  text: 'Was brauchen Sie?',
  textHelp: 'Eine Zeile, freiwillig. Wer hilft, liest sie und kann Ihr Terminal beobachten.',
  own: 'Ihre Meldung',
  waiting: (ahead) => `Sie haben sich gemeldet. ${ahead === 0 ? 'Sie sind als Nächstes dran.' : `${ahead} vor Ihnen.`}`,
  coming: (name) => `${name} hilft Ihnen.`,
  lower: 'Zurücknehmen',
  hide: 'Ausblenden',
  queue: 'Meldungen',
  take: 'Ich komme',
  takenBy: (name) => `${name} hilft`,
  answer: 'Antworten',
  answerTo: (name) => `Antwort an ${name}`,
  answerText: 'Ihre Antwort',
  answerHelp: 'Damit ist die Frage erledigt. Die Antwort steht neben dem Terminal.',
  done: 'Erledigt',
  reports: {
    report: 'Mit dieser Aufgabe stimmt etwas nicht',
    again: 'Diese Aufgabe erneut melden',
    of: (title) => `Mit „${title}“ stimmt etwas nicht`,
    text: 'Was stimmt nicht?',
    help: 'Die Lehrenden des Kurses lesen es, mit Ihrem Versuch und der letzten Ausgabe der Prüfung. Schreiben Sie hier keine Lösung.',
    send: 'Melden',
    sent: 'Gemeldet. Sie werden über die Antwort benachrichtigt.',
    own: 'Das haben Sie gemeldet',
    answer: 'Antwort',
    open: 'Es gibt noch keine Antwort.',
    title: 'Gemeldete Aufgaben',
    count: (count) => `${count} ${count === 1 ? 'Meldung' : 'Meldungen'}`,
    deleted: 'seitdem gelöscht',
    revision: (number) => `Version ${number}`,
    revised: 'seitdem geändert',
    output: 'Letzte Ausgabe der Prüfung',
    answerHelp: (count) =>
      count === 1
        ? 'Wer sie gemeldet hat, liest Ihre Antwort.'
        : `Alle ${count}, die sie gemeldet haben, lesen Ihre Antwort.`,
    answered: (count) => (count === 1 ? 'Ihre Antwort ist zugestellt.' : `${count} Studierende haben Ihre Antwort.`),
  },
};
