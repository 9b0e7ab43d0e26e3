import type { Strings } from '../en/index.ts';

export const lessons: Strings['lessons'] = {};
