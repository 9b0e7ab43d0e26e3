import { administration } from './administration.ts';
import { authoring } from './authoring.ts';
import { gradeBook } from './grade-book.ts';
import { room } from './room.ts';
import { teaching } from './teaching.ts';

/** The texts of the pages of instructors and administrators. */
export const staff = { administration, authoring, gradeBook, room, teaching };
