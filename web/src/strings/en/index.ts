import type { first } from './first.ts';
import type { learning } from './learning.ts';
import type { staff } from './staff.ts';

/** All texts of the pages, by area. */
export type Strings = typeof first & typeof learning & typeof staff;
