/** The section that a part of a course is in, and the keys of what it waits for. */
export type WaitingPart = { section: string | null; opens_after: readonly string[] };

/**
 * A part that waits for others which wait for it, if there is one. Whoever waits for a lesson or a laboratory waits for its section as well.
 * @returns its key
 */
export function partInCircle(parts: ReadonlyMap<string, WaitingPart>): string | undefined {
  const passed = new Set<string>();
  const visit = (key: string, way: readonly string[]): string | undefined => {
    if (way.includes(key))
      return way.slice(way.indexOf(key)).find((one) => (parts.get(one)?.opens_after.length ?? 0) > 0);
    const part = parts.get(key);
    if (!part || passed.has(key)) return undefined;
    for (const next of [...part.opens_after, ...(part.section === null ? [] : [part.section])]) {
      const found = visit(next, [...way, key]);
      if (found !== undefined) return found;
    }
    passed.add(key);
    return undefined;
  };
  for (const [key, { opens_after }] of parts) {
    const found = opens_after.length > 0 ? visit(key, []) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
