export const draftPrefix = 'draft:';

/** The keys of kept input in the browser's storage: see drafts.ts. */
export const draftKeys = (): string[] => Object.keys(localStorage).filter((key) => key.startsWith(draftPrefix));

/** Called when the user logs out: the next one at this computer finds nothing. */
export function dropAllDrafts(): void {
  try {
    for (const key of draftKeys()) localStorage.removeItem(key);
  } catch {
    // Nothing is stored.
  }
}
