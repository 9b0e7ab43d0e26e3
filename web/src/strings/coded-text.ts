import type { Strings } from './en/index.ts';

type Params = Readonly<Record<string, string | number>>;
type Texts = Readonly<Record<string, string>>;

/** The text of a code, with its values. Undefined for a code of a newer service. */
export const textOfCode = (
  texts: Texts,
  code: string,
  params: Params = {},
  valueFor = (name: string): string => String(params[name] ?? ''),
): string | undefined =>
  Object.hasOwn(texts, code) ? texts[code]?.replaceAll(/\{(\w+)\}/g, (_, name: string) => valueFor(name)) : undefined;

/**
 * A problem in the user's language.
 * @param detail the service's own words, for a code that these pages do not know, or whose text is not loaded yet
 */
export function codedText(
  t: Strings,
  { code, params }: { code?: string | null | undefined; params?: Params | undefined },
  detail: string,
): string {
  // Pages load them before they send anything whose problems have codes. Reading texts that are not loaded is an error outside of a component.
  if (!code) return detail;
  const problems: Texts | undefined = t.problems;
  return (problems && textOfCode(problems, code, params)) ?? detail;
}
