/** The texts of the other pages of students. */
export { activity } from './activity.ts';
export { announcements } from './announcements.ts';
export { attempts } from './attempts.ts';
export { classes } from './classes.ts';
export { examSessions } from './exam-sessions.ts';
export { exams } from './exams.ts';
export { laboratories } from './laboratories.ts';
export { lessonTerminal } from './lesson-terminal.ts';
export { notes } from './notes.ts';
export { notifications } from './notifications.ts';
export { problems } from './problems.ts';
export { profile } from './profile.ts';
export { reader } from './reader.ts';
export { refusals } from './refusals.ts';
export { sandboxes } from './sandboxes.ts';
export { search } from './search.ts';
export { terminal } from './terminal.ts';
