/** Whether a test file has tests of `npm run test:long`: it imports `rounds.ts` from any folder. */
export const hasLongTests = (text: string): boolean => /from '[^']*\/rounds\.ts'/.test(text);

/** Whether it has no other tests, as those of a browser or of every operation: each stands in a long suite, or is long itself. */
export function hasOnlyLongTests(text: string): boolean {
  if (!hasLongTests(text)) return false;
  let long = Number.POSITIVE_INFINITY;
  for (const [, { length: indent } = '', words = ''] of text.matchAll(/^( *)(\S.*)$/gm)) {
    // Within a long suite.
    if (indent > long) continue;
    long = /^describe(Long|InFull)\(/.test(words) ? indent : Number.POSITIVE_INFINITY;
    if (/^(describe|suite|it|test|itInRounds)\(|\bdescribe\)\(/.test(words)) return false;
  }
  return true;
}
