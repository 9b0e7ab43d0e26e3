import { type RefObject, useEffect, useState } from 'react';

/**
 * How many pixels of the lower end of an element are covered by a keyboard on the screen. Browsers that make the page smaller instead
 * report none.
 */
export function useCovered(element: RefObject<HTMLElement | null>): number {
  const [covered, setCovered] = useState(0);
  useEffect(() => {
    const view = window.visualViewport;
    if (!view) return;
    const measure = (): void => {
      const bottom = element.current?.getBoundingClientRect().bottom ?? 0;
      // Without a keyboard, a zoomed page also has a smaller view.
      const hasKeyboard = view.scale === 1 && window.innerHeight - view.height > 100;
      setCovered(hasKeyboard ? Math.max(0, Math.round(bottom - view.offsetTop - view.height)) : 0);
    };
    const stop = new AbortController();
    for (const name of ['resize', 'scroll']) view.addEventListener(name, measure, { signal: stop.signal });
    return () => stop.abort();
  }, [element]);
  return covered;
}
