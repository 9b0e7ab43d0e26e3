export { administration } from './administration.ts';
export { authoring } from './authoring.ts';
export { gradeBook } from './grade-book.ts';
export { imports } from './imports.ts';
export { room } from './room.ts';
export { teaching } from './teaching.ts';
export { written } from './written.ts';
