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

/** The texts of the other pages of students. */
export const learning = {
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
