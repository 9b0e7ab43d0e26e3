import type { Strings } from '../en/index.ts';

export const authoring: Strings['authoring'] = {};
