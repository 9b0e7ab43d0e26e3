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

/** Scrolls to where the user was. Data that is still loading makes the page longer later. */
export function restoreScroll(index: number): void {
  const known = kept.get(index);
  if (!known) return;
  for (const element of scrollers()) scrollWhenPossible(element, known[element.dataset['scroller'] ?? ''] ?? 0);
}

/** Milliseconds for which a page that is still loading is scrolled, unless its user scrolls. */
const patience = 10_000;

function scrollWhenPossible(element: HTMLElement, top: number): void {
  const isThere = (): boolean => {
    element.scrollTop = top;
    return Math.abs(element.scrollTop - top) <= 1;
  };
  if (isThere()) return;
  const over = new AbortController();
  const observer = new ResizeObserver(() => {
    if (isThere()) over.abort();
  });
  over.signal.addEventListener('abort', () => observer.disconnect());
  for (const child of element.children) observer.observe(child);
  // A user who moves the page is not moved.
  for (const name of ['wheel', 'touchmove', 'keydown'])
    element.addEventListener(name, () => over.abort(), { signal: over.signal, passive: true });
  setTimeout(() => over.abort(), patience);
}

export function scrollToTop(): void {
  for (const element of scrollers()) element.scrollTop = 0;
}
