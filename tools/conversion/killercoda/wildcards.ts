/** Longer patterns match nothing: file names are shorter. */
const maxLength = 500;
/** Alternatives of a pattern with braces. */
const maxAlternatives = 100;

/**
 * Whether a path matches a pattern of a shell: `*` and `?` within a name, `**` for any names, `[a-z]` and `{one,two}`. A pattern is that of
 * a stranger's file, so the time is bounded: it grows with the product of both lengths, where regular expressions take exponentially long.
 */
export function matchesPattern(path: string, pattern: string): boolean {
  if (pattern.length > maxLength || path.length > 10 * maxLength) return false;
  const names = path.split('/');
  return alternativesOf(pattern).some((one) =>
    matchesAll(one.split('/'), names, (part, name) => matchesName(part, name)),
  );
}

/** The patterns without braces; at most so many. */
function alternativesOf(pattern: string): string[] {
  let done = [pattern];
  for (;;) {
    const next = done.flatMap((one) => {
      const [braces, inside] = /\{([^{}]*,[^{}]*)\}/.exec(one) ?? [];
      if (braces === undefined || inside === undefined) return [one];
      return inside.split(',').map((choice) => one.replace(braces, () => choice));
    });
    if (next.length > maxAlternatives) return next.slice(0, maxAlternatives).filter((one) => !/\{[^{}]*,/.test(one));
    if (next.length === done.length) return next;
    done = next;
  }
}

/** Both lists from their beginnings to their ends. A part `**` of the pattern stands for any number of names. */
function matchesAll(parts: readonly string[], names: readonly string[], fits: (part: string, name: string) => boolean) {
  const isAny = (part: string): boolean => part === '**';
  return matchesSequence(parts.length, names.length, {
    isAny: (at) => isAny(parts[at] ?? ''),
    fits: (at, place) => fits(parts[at] ?? '', names[place] ?? ''),
  });
}

/** A name without slashes. A leading dot is matched by a dot only. */
function matchesName(pattern: string, name: string): boolean {
  if (name.startsWith('.') && !pattern.startsWith('.')) return false;
  const tokens = pattern.match(/\[(?:\^|!)?\]?[^\]]*\]|\*+|[\s\S]/g) ?? [];
  const characters = Array.from(name);
  return matchesSequence(tokens.length, characters.length, {
    isAny: (at) => tokens[at]?.startsWith('*') ?? false,
    fits: (at, place) => fitsToken(tokens[at] ?? '', characters[place] ?? ''),
  });
}

function fitsToken(token: string, character: string): boolean {
  if (token === '?') return true;
  if (token.length < 3 || !token.startsWith('[')) return token === character;
  const isNegated = /^\[[\^!]/.test(token);
  const inside = token.slice(isNegated ? 2 : 1, -1);
  const ranges = [...inside.matchAll(/([\s\S])-([\s\S])|([\s\S])/g)];
  const isIn = ranges.some(([, from, to, single]) =>
    from !== undefined && to !== undefined ? from <= character && character <= to : single === character,
  );
  return isIn !== isNegated;
}

type Sequence = { isAny: (at: number) => boolean; fits: (at: number, place: number) => boolean };

/** A pattern with wildcards for any number of items. Only the last wildcard is tried again: what comes before it fits as early as it can. */
function matchesSequence(length: number, items: number, { isAny, fits }: Sequence): boolean {
  let [at, place] = [0, 0];
  let wildcard: [at: number, place: number] | undefined;
  while (place < items) {
    if (at < length && isAny(at)) {
      wildcard = [at, place];
      at += 1;
    } else if (at < length && fits(at, place)) {
      at += 1;
      place += 1;
    } else if (wildcard) {
      wildcard[1] += 1;
      [at, place] = [wildcard[0] + 1, wildcard[1]];
    } else return false;
  }
  while (at < length && isAny(at)) at += 1;
  return at === length;
}
