/** The texts of the pages of instructors and administrators. */
export { administration } from './administration.ts';
export { authoring } from './authoring.ts';
export { gradeBook } from './grade-book.ts';
export { grading } from './grading.ts';
export { imports } from './imports.ts';
export { regrades } from './regrades.ts';
export { room } from './room.ts';
export { teaching } from './teaching.ts';
export { written } from './written.ts';
