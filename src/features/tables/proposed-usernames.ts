import { foldName, normalName, usernameLength } from '../../values/username.ts';

/**
 * Where the usernames of new accounts come from: the file, the part of the address before the at sign, or the whole address. It is one rule
 * for all lines.
 */
export const usernameSources = ['file', 'local_part', 'address'] as const;
export type UsernameSource = (typeof usernameSources)[number];

/** Room for a number. */
const maxBase = usernameLength.max - 5;

/** The part of an address before the at sign as a username; what usernames cannot have becomes a hyphen. */
export function usernameOfAddress(email: string): string {
  const [local = '', domain = ''] = email.split('@');
  const base = cleaned(local);
  if (Array.from(base).length >= usernameLength.min) return base;
  return cleaned(`${base || 'user'}-${domain.split('.', 1)[0]}`);
}

function cleaned(text: string): string {
  const name = normalName(text)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{Nd}_.\-+']+/gu, '-')
    .replaceAll(/^[\p{M}.-]+|[.-]+$/gu, '');
  return Array.from(name).slice(0, maxBase).join('');
}

/**
 * A free username for each address, with a number where another account or line has it already.
 * @param emails an empty one gets no username
 * @param reserved names of other lines, in the form of `foldName` @param takenOf which of these names accounts have, in that form
 */
export async function proposedUsernames(
  emails: readonly string[],
  reserved: ReadonlySet<string>,
  takenOf: (usernames: string[]) => Promise<ReadonlySet<string>>,
): Promise<string[]> {
  const used = new Set(reserved);
  const result = emails.map(() => '');
  let open: Waiting[] = [...Map.groupBy(emails.keys(), (index) => usernameOfAddress(emails[index] ?? ''))].map(
    ([base, lines]) => ({ base, lines: lines.filter((line) => emails[line] !== ''), number: 1 }),
  );
  for (let spare = 0; open.some(({ lines }) => lines.length > 0); spare += spareNumbers) {
    const asked = open.map((group) => ({ ...group, candidates: candidatesOf(group, spare) }));
    const taken = await takenOf(asked.flatMap(({ candidates }) => candidates));
    open = asked.flatMap(({ base, lines, number, candidates }) => {
      const free = candidates.filter((candidate) => {
        const key = foldName(candidate);
        return !taken.has(key) && !used.has(key);
      });
      for (const [place, line] of lines.entries()) {
        const username = free[place];
        if (username === undefined) continue;
        used.add(foldName(username));
        result[line] = username;
      }
      const left = lines.slice(free.length);
      return left.length > 0 ? [{ base, lines: left, number: number + candidates.length }] : [];
    });
  }
  return result;
}

/** Lines whose addresses begin alike, and the next number for them. */
type Waiting = { base: string; lines: number[]; number: number };
/** With each look at the accounts so many more numbers are tried. */
const spareNumbers = 50;

/** As many as there are lines, and some more. */
const candidatesOf = ({ base, lines, number }: Waiting, spare: number): string[] =>
  Array.from({ length: lines.length === 0 ? 0 : lines.length + spare }, (_, index) =>
    number + index === 1 ? base : `${base}${number + index}`,
  );
