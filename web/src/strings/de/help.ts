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
};
