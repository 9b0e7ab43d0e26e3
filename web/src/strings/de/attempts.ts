import { decimalIn } from '../decimal.ts';
import type { Strings } from '../en/index.ts';

const decimal = decimalIn('de');

const minutes = (count: number): string => `${count} ${count === 1 ? 'Minute' : 'Minuten'}`;
const points = (count: number): string => `${decimal(count)} ${count === 1 ? 'Punkt' : 'Punkte'}`;
const pointsOf = (earned: number, max: number): string =>
  `${decimal(earned)} von ${decimal(max)} ${max === 1 ? 'Punkt' : 'Punkten'}`;

export const attempts: Strings['attempts'] = {
  recordingConsent: {
    title: 'Aufzeichnungen in Prüfungen',
    rule: 'Die Ausgabe Ihrer Terminals wird aufgezeichnet, wenn Sie zustimmen.',
    text: (days) =>
      `In einer Prüfung kann die Ausgabe Ihrer Terminals mit den Zeiten aufgezeichnet werden, auch was Sie eingeben, soweit es angezeigt wird. Ihre Lehrenden und die Verwaltung sehen sie, ${days} Tage lang nach der Prüfung. Ohne Ihre Zustimmung wird nichts aufgezeichnet, und die Prüfung ist dieselbe. Sie können Ihre Entscheidung im Profil ändern, für Terminals, die Sie danach öffnen.`,
    agree: 'Ich stimme der Aufzeichnung meiner Terminals zu',
    decided: (time) => `Entschieden am ${time}`,
  },
  facts: 'Überblick',
  taskCount: (count) => `${count} ${count === 1 ? 'Aufgabe' : 'Aufgaben'}`,
  tasks: 'Aufgaben',
  maxScore: 'Höchstpunktzahl',
  passingScore: 'Punkte zum Bestehen',
  timeLimit: 'Zeit',
  minutes,
  noLimit: 'Ohne Zeitlimit',
  paused: 'Pausiert: Die Uhr steht',
  breakLeft: (seconds) =>
    `Sie dürfen Pausen machen, noch ${seconds >= 60 ? minutes(Math.floor(seconds / 60)) : 'weniger als eine Minute'}.`,
  startBreak: 'Pause beginnen',
  onBreak: 'Sie machen Pause',
  breakUntil: (time, seconds) =>
    `Die Pause endet um ${time} Uhr, in ${seconds >= 60 ? minutes(Math.ceil(seconds / 60)) : 'weniger als einer Minute'}.`,
  breakOver: 'Die Pause ist vorbei. Die Prüfung geht gleich weiter oder sobald ihr Termin fortgesetzt wird.',
  breakHelp:
    'Die Uhr steht. Aufgaben und Terminal sind verdeckt, bis Sie weitermachen. Wenn der Prüfungstermin schließt, endet auch die Pause.',
  endBreak: 'Pause beenden',
  messages: 'Nachrichten Ihrer Lehrkraft',
  withheldTitle: 'Abgegeben',
  withheldHelp: 'Die Ergebnisse dieses Prüfungstermins sind für Sie nicht oder noch nicht sichtbar.',
  rules: 'So läuft es ab',
  mine: 'Ihre bisherigen Versuche',
  begin: 'Starten',
  starting: 'Ihre Maschine wird vorbereitet',
  noContainer: 'Derzeit ist keine Maschine frei. Es wurde nichts gestartet und kein Versuch verbraucht.',
  queue: {
    title: 'Sie sind in der Warteschlange',
    place: (place) => (place === 1 ? 'Sie sind als Nächstes dran.' : `Ihr Platz: ${place}.`),
    wait: (seconds) =>
      seconds < 60
        ? 'Wartezeit: weniger als eine Minute.'
        : `Wartezeit: etwa ${minutes(Math.ceil(seconds / 60))} oder weniger.`,
    help: 'Alle Maschinen sind belegt. Der Versuch beginnt automatisch, sobald Ihre Maschine bereit ist; erst dann läuft die Uhr. Lassen Sie diese Seite offen. Sie können sie neu laden, ohne Ihren Platz zu verlieren.',
    leave: 'Warteschlange verlassen',
    left: 'Sie haben die Warteschlange verlassen.',
    begun: 'Ihre Maschine ist bereit. Die Uhr läuft.',
    ended:
      'Dieser Versuch ist nicht mehr in der Warteschlange, weil diese Seite zu lange geschlossen war. Starten Sie ihn neu.',
    failed:
      'Ihre Maschine konnte nicht erstellt werden. Der Versuch hat kein Ergebnis. Starten Sie ihn neu oder wenden Sie sich an Ihre Lehrkraft.',
  },
  left: (seconds) =>
    `Noch ${seconds >= 60 ? minutes(Math.floor(seconds / 60)) : `${seconds} ${seconds === 1 ? 'Sekunde' : 'Sekunden'}`}`,
  warning: (count) =>
    `Noch ${minutes(count)}. Wenn die Zeit abgelaufen ist, wird Ihre Arbeit so bewertet, wie sie dann ist.`,
  moved: (time) => `Das Ende wurde verschoben: Sie haben Zeit bis ${time} Uhr.`,
  terminal: 'Terminal',
  restarted:
    'Die Maschine war ausgefallen und wurde automatisch neu gestartet. Ihre Dateien sind noch da, laufende Programme wurden beendet. Die Uhr läuft weiter.',
  doneCount: (done, all) => `${done} von ${all} als erledigt markiert`,
  ticksHelp: 'Diese Markierungen sehen nur Sie, in diesem Browser. Auf das Ergebnis haben sie keinen Einfluss.',
  strip: 'Aufgaben der Reihe nach',
  stripTask: (place, all, title) => `Aufgabe ${place} von ${all}: ${title}`,
  flag: (title) => `Noch einmal ansehen: ${title}`,
  flagged: 'Noch einmal ansehen',
  markedDone: 'Als erledigt markiert',
  lockedShort: 'Noch nicht offen',
  online: 'Online',
  offline: 'Keine Verbindung',
  leave: 'Diese Seite verlassen. Die Uhr läuft weiter.',
  markDone: (title) => `Als erledigt markieren: ${title}`,
  hint: 'Tipp anzeigen',
  locked: 'Sie öffnet sich, sobald die vorige Aufgabe geprüft und bestanden ist.',
  solution: 'Lösung',
  hintTitle: 'Tipp',
  noTasksShown: 'Die Aufgaben sind nicht mehr verfügbar.',
  submit: 'Abgeben',
  submitTitle: 'Arbeit abgeben?',
  submitHelp:
    'Ihre Arbeit wird so bewertet, wie sie jetzt ist. Danach endet der Versuch und die Maschine wird gelöscht.',
  submitUnticked: (count) =>
    count === 1 ? '1 Aufgabe ist nicht als erledigt markiert.' : `${count} Aufgaben sind nicht als erledigt markiert.`,
  submitFlagged: (count) =>
    `${count} ${count === 1 ? 'Aufgabe wollten Sie' : 'Aufgaben wollten Sie'} noch einmal ansehen.`,
  submitFailed:
    'Ihre Arbeit konnte nicht bewertet werden. Es ist nichts verloren. Machen Sie weiter oder geben Sie noch einmal ab.',
  sending: {
    title: 'Ihre Arbeit wird gesendet',
    help: 'Der Dienst hat die Abgabe noch nicht bestätigt. Lassen Sie diese Seite offen.',
    unsentTitle: 'Noch nicht gesendet',
    unsentHelp:
      'Der Dienst hat Ihre Abgabe nicht bestätigt. Die Seite sendet sie automatisch noch einmal. Lassen Sie sie offen, bis die Abgabe bestätigt ist.',
    again: 'Wird noch einmal gesendet',
    nextIn: (seconds) =>
      `Nächster Versuch in ${seconds} ${seconds === 1 ? 'Sekunde' : 'Sekunden'} oder sobald Sie wieder online sind.`,
    now: 'Jetzt senden',
    cancel: 'Zurück zu den Aufgaben',
    leaveTitle: 'Ohne Abgabe verlassen?',
    leaveHelp:
      'Der Dienst hat Ihre Abgabe nicht bestätigt. Wenn Sie diese Seite verlassen, wird sie nicht noch einmal gesendet, und die Uhr läuft weiter.',
    leave: 'Verlassen',
  },
  giveUp: 'Aufgeben',
  giveUpTitle: 'Diesen Versuch aufgeben?',
  giveUpHelp:
    'Er endet ohne Ergebnis, und die Maschine wird mit ihrem gesamten Inhalt gelöscht. Das lässt sich nicht rückgängig machen.',
  givenUp: 'Der Versuch wurde aufgegeben.',
  gradingTitle: 'Ihre Arbeit wird bewertet',
  gradingHelp:
    'Jedes Prüfskript läuft auf Ihrer Maschine höchstens 30 Sekunden. Die Ergebnisse erscheinen, wenn alles geprüft ist. Sie können diese Seite verlassen: Die Bewertung läuft weiter.',
  overTitle: 'Die Zeit ist abgelaufen',
  overHelp: 'Ihre Arbeit wird so bewertet, wie sie jetzt ist. Die Ergebnisse erscheinen hier.',
  overUnreachable:
    'Der Dienst ist nicht erreichbar. Ihre Arbeit wird so bewertet, wie sie bei Ablauf der Zeit ist, auch ohne diese Seite. Die Ergebnisse erscheinen hier, sobald die Verbindung wieder da ist.',
  overUnconfirmed:
    'Nach der Uhr dieser Seite ist die Zeit abgelaufen, aber der Dienst ist nicht erreichbar. Ihre Arbeit wird so bewertet, wie sie bei Ablauf der Zeit ist, auch ohne diese Seite.',
  gradingUnreachable:
    'Der Dienst ist nicht erreichbar. Die Ergebnisse erscheinen hier, sobald die Verbindung wieder da ist.',
  overFailed: 'Die Bewertung ist fehlgeschlagen. Sie wird automatisch wiederholt, bis sie gelingt.',
  waiting: 'Wartet',
  checking: 'Wird geprüft',
  checked: 'Geprüft',
  gradedCount: (done, all) => `${done} von ${all} Aufgaben geprüft`,
  results: (title) => `Ergebnisse: ${title}`,
  passedTitle: 'Bestanden',
  notPassedTitle: 'Nicht bestanden',
  score: pointsOf,
  needed: (count) => `Zum Bestehen nötig: ${points(count)}.`,
  taskPassed: 'Bestanden',
  taskNotPassed: 'Nicht bestanden',
  taskPassedInPart: 'Teilweise bestanden',
  pointsOf,
  output: 'Ausgabe des Prüfskripts',
  outputOf: (title) => `Ausgabe des Prüfskripts: ${title}`,
  noOutput: 'Das Prüfskript hat nichts ausgegeben.',
  remarks: {
    check_timeout: 'Kein Urteil: Das Prüfskript wurde nach {seconds} s beendet.',
    check_held:
      'Kein Urteil: Ein vom Prüfskript gestartetes Programm hielt dessen Ausgabe nach dem Ende offen oder schrieb noch hinein.',
    check_killed: 'Kein Urteil: Das Prüfskript wurde von der Maschine aus beendet oder konnte nicht starten.',
    check_gave_up: 'Das Prüfskript wurde beendet: {reason}.',
    verdict_missing: 'Kein Urteil: Die letzte Zeile der Ausgabe ist weder {pass} noch {fail}.',
    verdict_inexact:
      'Kein Urteil: Die letzte Zeile muss genau {pass} oder {fail} lauten, ohne Leerzeichen, Wagenrückläufe oder Zeilen danach.',
    score_invalid: 'Kein Urteil: Eine Wertung ist SCORE k/n, mit n über 0 und k von 0 bis n.',
    score_not_allowed: 'Kein Urteil: Die Aufgabe erlaubt keine Teilpunkte.',
    exit_status: 'Das Prüfskript endete mit dem Exit-Status {status}.',
    exit_status_missing: 'Kein Urteil: Das Prüfskript hat keinen Exit-Status.',
    not_answered: 'Nicht beantwortet.',
    output_cut: 'Die Ausgabe war länger; gezeigt werden die letzten {kib} KiB.',
    container_closed: 'Kein Urteil: Die Maschine wurde für die Prüfung neu gestartet und lehnt Verbindungen weiter ab.',
    task_not_open: 'Nicht bewertet: Die Aufgabe war noch nicht offen.',
  },
  resultsByTask: 'Ergebnisse nach Aufgaben',
  workRemoved: 'Von diesem Versuch sind nur noch die Punkte da: Antworten und Ausgaben wurden gelöscht.',
  started: 'Begonnen',
  submitted: 'Abgegeben',
  endedAt: 'Zeit abgelaufen',
  duration: 'Vom Beginn bis zum Ende',
  again: 'Neu starten',
  expiredHelp:
    'Ihre Zeit ist abgelaufen, bevor Sie abgegeben haben. Ihre Arbeit wurde so bewertet, wie sie in diesem Moment war.',
  endedByStaff: 'Von einer Lehrkraft beendet',
  endedHelp: (name, time) =>
    `${name ?? 'Eine Lehrkraft'} hat die Prüfung vor Ablauf Ihrer Zeit beendet (${time}). Ihre Arbeit wurde so bewertet, wie sie in diesem Moment war.`,
  endedInQueueHelp: (name) =>
    `${name ?? 'Eine Lehrkraft'} hat die Prüfung beendet, während Sie in der Warteschlange waren. Sie hatten noch nicht begonnen.`,
  abandonedTitle: 'Aufgegeben',
  abandonedHelp: 'Dieser Versuch endete ohne Ergebnis.',
  lostTitle: 'Versuch zurückgegeben',
  lostHelp:
    'Dieser Versuch hat kein Ergebnis, weil seine Maschine verloren ging oder nicht erstellt werden konnte. Sie können neu starten.',
  notOver: 'Dieser Versuch läuft noch.',
  goOn: 'Weitermachen',
  statuses: {
    queued: 'In der Warteschlange',
    in_progress: 'Läuft',
    grading: 'Wird bewertet',
    finished: 'Abgegeben',
    abandoned: 'Aufgegeben',
    expired: 'Zeit abgelaufen',
  },
  columns: { title: 'Titel', started: 'Begonnen', outcome: 'Ausgang', score: 'Punkte', results: 'Ergebnisse' },
  open: 'Ergebnisse',
  openNamed: (title, time) => `Ergebnisse von „${title}“, ${time}`,
};
