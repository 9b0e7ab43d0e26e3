import type { Strings } from '../en/index.ts';

export const laboratories: Strings['laboratories'] = {};
