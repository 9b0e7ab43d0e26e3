/** Whether a test file has tests of `npm run test:long`: it imports `rounds.ts` from any folder. */
export const hasLongTests = (text: string): boolean => /from '[^']*\/rounds\.ts'/.test(text);
