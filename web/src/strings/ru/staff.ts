import type { Strings } from '../en/index.ts';
import { administration } from './administration.ts';
import { authoring } from './authoring.ts';
import { teaching } from './teaching.ts';

export const staff: Pick<Strings, 'administration' | 'authoring' | 'teaching'> = {
  administration,
  authoring,
  teaching,
};
