import type { Strings } from '../en/index.ts';

export const teaching: Strings['teaching'] = {};
