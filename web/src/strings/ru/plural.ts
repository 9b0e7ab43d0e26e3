const rules = new Intl.PluralRules('ru');

/** The form of a word that agrees with a number: 1 балл, 2 балла, 5 баллов. */
export function plural(count: number, one: string, few: string, many: string): string {
  const form = rules.select(count);
  if (form === 'one') return one;
  return form === 'few' ? few : many;
}
