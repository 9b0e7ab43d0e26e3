import type { Strings } from '../en/index.ts';

export const profile: Strings['profile'] = {};
