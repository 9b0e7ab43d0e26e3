import type { Strings } from '../en/index.ts';

export const administration: Strings['administration'] = {};
