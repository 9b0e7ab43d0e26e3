import type { Strings } from '../en/index.ts';

export const exams: Strings['exams'] = {};
