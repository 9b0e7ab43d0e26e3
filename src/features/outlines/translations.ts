import { join } from 'node:path/posix';

/** The languages that lessons are translated to. Other codes are words in the names of files more often than languages. */
const languages =
  'ar|be|bg|bn|cs|da|de|el|es|fa|fi|fr|he|hi|hu|id|ja|ko|nl|pl|pt|ro|ru|sk|sr|sv|tr|uk|vi|zh|pt-br|zh-cn|zh-hans|zh-hant|zh-tw';
const suffix = new RegExp(`[._](?:${languages.replaceAll('-', '[-_]')})(?=\\.(?:md|markdown)$)`, 'i');
const step = new RegExp(`^(?:${languages.replaceAll('-', '[-_]')})$`, 'i');

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
