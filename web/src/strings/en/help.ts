/** Raised hands: the student's own, and the queue of the staff. */
export const help = {
  raise: 'Raise a hand',
  text: 'What do you need?',
  textHelp: 'One line, optional. Those who help read it, and can watch your terminal.',
  own: 'Your raised hand',
  waiting: (ahead: number) => `Your hand is raised. ${ahead === 0 ? 'You are next.' : `${ahead} before you.`}`,
  coming: (name: string) => `${name} is helping you.`,
  lower: 'Take it down',
  hide: 'Hide',
  queue: 'Raised hands',
  take: 'I am coming',
  takenBy: (name: string) => `${name} is helping`,
  answer: 'Answer',
  answerTo: (name: string) => `Answer ${name}`,
  answerText: 'Your answer',
  answerHelp: 'It closes the question. The student reads it beside the terminal.',
  done: 'Done',
};
