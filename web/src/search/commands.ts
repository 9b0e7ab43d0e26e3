import { session } from '../api/session.ts';
import type { User } from '../api/user.ts';
import { groupsOf } from '../routing/page-groups.ts';
import { hrefOf } from '../routing/router.ts';
import type { Strings } from '../strings/en/index.ts';
import { type Language, languages } from '../strings/load-strings.ts';
import { type ColorScheme, colorSchemes } from '../ui/color-scheme.ts';

/** A page, or something to do, that the search finds by its name. */
export type Command = { key: string; title: string; where: string[]; href: string } | Action;
type Action = { key: string; title: string; where: string[]; run: () => void };

type Choices = { setScheme: (scheme: ColorScheme) => void; speak: (language: Language) => void };

/** What the user can open and do from every page. */
export function commandsOf(role: User['role'], t: Strings, { setScheme, speak }: Choices): Command[] {
  const pages = groupsOf(role).flatMap(({ name: group, pages }) =>
    pages.map(({ to, name }) => ({
      key: to,
      title: t.common.links[name],
      where: group === undefined ? [] : [t.common.groups[group]],
      href: hrefOf({ to }),
    })),
  );
  return [
    ...pages,
    { key: 'profile', title: t.common.links.profile, where: [], href: hrefOf({ to: '/profile' }) },
    ...colorSchemes.map((scheme) => ({
      key: scheme,
      title: t.common.colorScheme[scheme],
      where: [t.common.colorScheme.label],
      run: () => setScheme(scheme),
    })),
    ...languages.map((language) => ({
      key: language,
      title: t.common.language[language],
      where: [t.common.language.label],
      run: () => speak(language),
    })),
    { key: 'log-out', title: t.account.logout, where: [], run: () => void session.end({ everywhere: true }) },
  ];
}

const wordsOf = (text: string): string[] => text.toLocaleLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** The commands of which each word of a text begins a word. Those that begin with the text come first. */
export function matching(commands: readonly Command[], text: string): Command[] {
  const asked = wordsOf(text);
  if (asked.length === 0) return [];
  const found = commands.filter(({ title, where }) => {
    const known = [title, ...where].flatMap(wordsOf);
    return asked.every((word) => known.some((one) => one.startsWith(word)));
  });
  const isFirst = ({ title }: Command): boolean => wordsOf(title)[0]?.startsWith(asked[0] ?? '') === true;
  return [...found.filter(isFirst), ...found.filter((command) => !isFirst(command))];
}
