import { useElementScrollRestoration, useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';

/** What scrolls in place of the document: a page, the text of a lesson, the tasks of an attempt. */
export const scrollers = ['page', 'lesson', 'tasks'] as const;
export const selectorOf = (id: string): string => `[data-scroll-restoration-id=${id}]`;

/** Leads to where the user was once the page is long enough. The router does it once, and data that is still loading makes a page longer. */
export function LateScroll({ id }: { id: (typeof scrollers)[number] }): null {
  const entry = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.state.__TSR_key });
  const top = useElementScrollRestoration({ id })?.scrollY;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only where another entry of the history is shown
  useEffect(() => {
    const element = document.querySelector(selectorOf(id));
    return element && top !== undefined ? scrollWhenPossible(element, top) : undefined;
  }, [entry]);
  return null;
}

/** Milliseconds for which a page that is still loading is scrolled, unless its user scrolls. */
const patience = 10_000;

/** @returns gives it up */
function scrollWhenPossible(element: Element, top: number): () => void {
  const over = new AbortController();
  const stop = (): void => over.abort();
  const timer = setTimeout(stop, patience);
  const observer = new ResizeObserver(() => {
    element.scrollTop = top;
    if (Math.abs(element.scrollTop - top) <= 1) stop();
  });
  over.signal.addEventListener('abort', () => {
    observer.disconnect();
    clearTimeout(timer);
  });
  // It is called at once as well.
  for (const child of element.children) observer.observe(child);
  // A user who moves the page is not moved.
  for (const name of ['wheel', 'touchmove', 'keydown'])
    element.addEventListener(name, stop, { signal: over.signal, passive: true });
  return stop;
}
