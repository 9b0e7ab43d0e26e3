import type { Strings } from '../en/index.ts';
import { administration } from './administration.ts';
import { authoring } from './authoring.ts';
import { gradeBook } from './grade-book.ts';
import { room } from './room.ts';
import { teaching } from './teaching.ts';

export const staff: Pick<Strings, 'administration' | 'authoring' | 'gradeBook' | 'room' | 'teaching'> = {
  administration,
  authoring,
  gradeBook,
  room,
  teaching,
};
