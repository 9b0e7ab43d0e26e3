import type { Strings } from '../en/index.ts';
import { announcements } from './announcements.ts';
import { attempts } from './attempts.ts';
import { classes } from './classes.ts';
import { examSessions } from './exam-sessions.ts';
import { exams } from './exams.ts';
import { laboratories } from './laboratories.ts';
import { notes } from './notes.ts';
import { notifications } from './notifications.ts';
import { profile } from './profile.ts';
import { sandboxes } from './sandboxes.ts';
import { search } from './search.ts';
import { terminal } from './terminal.ts';

export const learning: Pick<
  Strings,
  | 'announcements'
  | 'attempts'
  | 'classes'
  | 'examSessions'
  | 'exams'
  | 'laboratories'
  | 'notes'
  | 'notifications'
  | 'profile'
  | 'sandboxes'
  | 'search'
  | 'terminal'
> = {
  announcements,
  attempts,
  classes,
  examSessions,
  exams,
  laboratories,
  notes,
  notifications,
  profile,
  sandboxes,
  search,
  terminal,
};
