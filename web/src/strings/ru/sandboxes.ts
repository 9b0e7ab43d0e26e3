import type { Strings } from '../en/index.ts';

export const sandboxes: Strings['sandboxes'] = {};
