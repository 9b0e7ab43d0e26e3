import type { StudentAccount } from '../../database/tables.ts';

/** The home folder of a laboratory's students. */
export const homeOf = (user: StudentAccount): string => (user === 'root' ? '/root' : '/home/student');

const rootHome = /(?<![\w./~-])\/root(?![\w.-])|(?<![\w/])~root(?=\/|\s|$)/g;

/** The users of Killercoda are root. Where students are not root, files of the home folder of root are in that of the student. */
export const inHomeOf = (user: StudentAccount, text: string): string =>
  user === 'root' ? text : text.replace(rootHome, homeOf(user));
