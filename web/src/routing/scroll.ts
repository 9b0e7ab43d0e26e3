/** The positions of the elements with `data-scroller`, by their names. */
type Positions = Record<string, number>;

const name = 'scroll-positions';
const kept = new Map<number, Positions>(stored());
// A reload restores the window alone, and the pages scroll inside it.
addEventListener('pagehide', () => {
  const { index } = (history.state ?? {}) as { index?: number };
  if (index !== undefined) kept.set(index, positions());
  try {
    sessionStorage.setItem(name, JSON.stringify([...kept]));
  } catch {
    // Private windows and full storage.
  }
});

function stored(): [number, Positions][] {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? '[]') as [number, Positions][];
  } catch {
    return [];
  }
}

const scrollers = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-scroller]')];

const positions = (): Positions =>
  Object.fromEntries(scrollers().map(({ dataset, scrollTop }) => [dataset['scroller'] ?? '', scrollTop]));

/** Remembers how far the page at an entry of the history is scrolled. On the way forward the entries after it are gone. */
export function keepScroll(index: number, way: 'forward' | 'stays'): void {
  kept.set(index, positions());
  if (way === 'forward') for (const later of kept.keys()) if (later > index) kept.delete(later);
}

/** Scrolls to where the user was. */
export function restoreScroll(index: number): void {
  const known = kept.get(index);
  if (!known) return;
  for (const element of scrollers()) element.scrollTop = known[element.dataset['scroller'] ?? ''] ?? 0;
}

export function scrollToTop(): void {
  for (const element of scrollers()) element.scrollTop = 0;
}
