/** Whether a test file has tests of `npm run test:long`: it imports `rounds.ts` from any folder. */
export const hasLongTests = (text: string): boolean => /from '[^']*\/rounds\.ts'/.test(text);

/** Whether it has no other tests, as those of a browser or of every operation. */
export const hasOnlyLongTests = (text: string): boolean =>
  hasLongTests(text) && !/^(describe|suite|it|test|itInRounds)\(/m.test(text);
