import { join } from 'node:path/posix';

/** The languages that lessons are translated to. Other codes are words in the names of files more often than languages. */
const languages =
  'ar|be|bg|bn|cs|da|de|el|es|fa|fi|fr|he|hi|hu|id|ja|ko|nl|pl|pt|ro|ru|sk|sr|sv|tr|uk|vi|zh|pt-br|zh-cn|zh-hans|zh-hant|zh-tw';
const suffix = new RegExp(`[._](?:${languages.replaceAll('-', '[-_]')})(?=\\.(?:md|markdown)$)`, 'i');
const step = new RegExp(`^(?:${languages.replaceAll('-', '[-_]')})$`, 'i');

const anySuffix = new RegExp(`[._](en|${languages.replaceAll('-', '[-_]')})(?=\\.(?:md|markdown)$)`, 'i');
const anyStep = new RegExp(`^(?:en|${languages.replaceAll('-', '[-_]')})$`, 'i');
const normal = (language: string): string => language.toLowerCase().replace('_', '-');

/** The path of a lesson without its language, and the language where it has one. */
function withoutLanguage(path: string): { neutral: string; language?: string } {
  const ending = anySuffix.exec(path)?.[1];
  if (ending !== undefined) return { neutral: path.replace(anySuffix, ''), language: normal(ending) };
  const steps = path.split('/');
  const at = steps.slice(0, -1).findIndex((name) => anyStep.test(name));
  const found = steps[at];
  return found === undefined
    ? { neutral: path }
    : { neutral: steps.toSpliced(at, 1).join('/'), language: normal(found) };
}

/** The versions of each lesson in several languages. */
export class Translations {
  readonly #versions = new Map<string, Map<string, string>>();

  constructor(paths: Iterable<string>) {
    for (const path of paths) {
      const { neutral, language = '' } = withoutLanguage(path);
      const versions = this.#versions.get(neutral) ?? new Map<string, string>();
      if (!versions.has(language)) versions.set(language, path);
      this.#versions.set(neutral, versions);
    }
  }

  /** The languages of lessons that have several versions, in alphabetical order. */
  get languages(): string[] {
    const several = [...this.#versions.values()].filter((versions) => versions.size > 1);
    return [...new Set(several.flatMap((versions) => [...versions.keys()]))].filter((name) => name !== '').sort();
  }

  /** The path of a lesson's version in a language, or its own where there is none. */
  versionIn(language: string, path: string): string {
    return this.#versions.get(withoutLanguage(path).neutral)?.get(normal(language)) ?? path;
  }
}

/**
 * Whether a lesson is the translation of another one, which is in English or has no language in its path: `page.de.md`, `page_de.md` or
 * `de/page.md` of `page.md`, `page.en.md` or `en/page.md`.
 */
export function isTranslation(path: string, has: (path: string) => boolean): boolean {
  const found = suffix.exec(path)?.[0];
  if (found !== undefined && ['', `${found[0]}en`].some((other) => has(path.replace(suffix, other)))) return true;
  const steps = path.split('/');
  return steps
    .slice(0, -1)
    .some(
      (name, index) =>
        step.test(name) && [[], ['en']].some((other) => has(join(...steps.toSpliced(index, 1, ...other)))),
    );
}
