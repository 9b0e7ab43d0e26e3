const maxLength = 80;

/**
 * Converts a name to a slug: lower-case Latin letters, digits and single hyphens; accents are dropped.
 * @param fallback for a name without such characters
 */
export function slugOf(name: string, fallback: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  return words?.join('-').slice(0, maxLength).replace(/-$/, '') ?? fallback;
}

/** The slug itself, or the first free one with `-2`, `-3` and so on. */
export function freeSlug(slug: string, taken: ReadonlySet<string>): string {
  if (!taken.has(slug)) return slug;
  for (let number = 2; ; number += 1) if (!taken.has(`${slug}-${number}`)) return `${slug}-${number}`;
}
