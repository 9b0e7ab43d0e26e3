import type { Strings } from '../strings/en/index.ts';
import type { Notification } from './queries.ts';

type Words = Strings['notifications']['texts'];

/** What a notification says. @param time formats a moment */
export function textOf(
  words: Words,
  { kind, title, minutes, until }: Notification,
  time: (moment: string) => string,
): string {
  switch (kind) {
    case 'exam_opens':
      return words.exam_opens(title, until === null ? '' : time(until));
    case 'time_left':
      return words.time_left(title, minutes ?? 0);
    case 'more_time':
      return words.more_time(title, minutes ?? 0);
    case 'deadline':
      return words.deadline(title, until === null ? '' : time(until));
    case 'results':
      return words.results(title);
    case 'supervision':
      return words.supervision(title);
    case 'hand':
    case 'help':
      return words[kind](title);
    case 'announcement':
      return words.announcement(title);
  }
}
