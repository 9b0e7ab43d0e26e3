import { createHash } from 'node:crypto';

/** A slug of a name that is not yet in `taken`. It is added to `taken`. */
export function slugOf(name: string, taken: Set<string>, otherwise = 'scenario'): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 80)
    .replace(/^-|-$/g, '');
  const base = words || `${otherwise}-${createHash('sha256').update(name).digest('hex').slice(0, 8)}`;
  let slug = base;
  for (let number = 2; taken.has(slug); number += 1) slug = `${base}-${number}`;
  taken.add(slug);
  return slug;
}
