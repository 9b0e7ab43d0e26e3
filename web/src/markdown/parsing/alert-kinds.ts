/** How an admonition looks. Their names are those of GitHub's alerts. */
export type AlertKind = 'note' | 'tip' | 'important' | 'warning' | 'caution';

/** The types of admonitions of GitHub, MkDocs Material, Docusaurus and Obsidian. */
const kinds: Record<string, AlertKind> = {
  ...{
    note: 'note',
    info: 'note',
    abstract: 'note',
    summary: 'note',
    example: 'note',
    quote: 'note',
    question: 'note',
  },
  ...{ tip: 'tip', hint: 'tip', success: 'tip', check: 'tip' },
  ...{ important: 'important', todo: 'important' },
  ...{ warning: 'warning', attention: 'warning' },
  ...{ caution: 'caution', danger: 'caution', error: 'caution', failure: 'caution', bug: 'caution' },
};

/** @returns undefined for a type that is not known */
export const alertKindOf = (type: string): AlertKind | undefined => {
  const name = type.toLowerCase();
  return Object.hasOwn(kinds, name) ? kinds[name] : undefined;
};
