import type { Strings } from '../en/index.ts';

export const dashboard: Strings['dashboard'] = {};
