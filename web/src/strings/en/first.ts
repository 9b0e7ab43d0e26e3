import { account } from './account.ts';
import { common } from './common.ts';
import { dashboard } from './dashboard.ts';
import { errors } from './errors.ts';
import { lessons } from './lessons.ts';

/** The texts of the first pages, and those that every page can need. */
export const first = { account, common, dashboard, errors, lessons };
