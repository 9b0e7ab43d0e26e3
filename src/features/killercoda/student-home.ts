export const studentHome = '/home/student';

const rootHome = /(?<![\w./~-])\/root(?![\w.-])|(?<![\w/])~root(?=\/|\s|$)/g;

/** The users of Killercoda are root. What a scenario keeps in the home folder of root is in that of the student here. */
export const inStudentHome = (text: string): string => text.replace(rootHome, studentHome);
