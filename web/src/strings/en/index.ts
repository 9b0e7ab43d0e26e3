type First = typeof import('./first.ts');
type Learning = typeof import('./learning.ts');
type Staff = typeof import('./staff.ts');

/** All texts of the pages, by area. */
export type Strings = First & Learning & Staff;
