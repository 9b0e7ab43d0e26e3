const maxLength = 80;

/**
 * A name as it stands in an address: small Latin letters, digits and single hyphens; accents are dropped.
 * @param fallback for a name that has none of these letters
 */
export function slugOf(name: string, fallback: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  return words?.join('-').slice(0, maxLength).replace(/-$/, '') ?? fallback;
}

/** The slug itself, or with `-2`, `-3` and so on, whichever is not taken. */
export function freeSlug(slug: string, taken: ReadonlySet<string>): string {
  if (!taken.has(slug)) return slug;
  for (let number = 2; ; number += 1) if (!taken.has(`${slug}-${number}`)) return `${slug}-${number}`;
}
