import { type RefObject, useEffect, useState } from 'react';

/**
 * Lets an element fill the window. It is not the browser's own full screen, which the Escape key leaves: in a terminal, Escape belongs to
 * the shell. The element stays where it is in the document, so it keeps its state. The covered rest of the page cannot be focused.
 */
export function useFullPage(element: RefObject<HTMLElement | null>) {
  const [isFull, setFull] = useState(false);
  useEffect(() => {
    if (!isFull) return;
    const covered: HTMLElement[] = [];
    for (let part = element.current; part && !part.hasAttribute('data-frame'); part = part.parentElement) {
      for (const sibling of part.parentElement?.children ?? []) {
        if (sibling === part || !(sibling instanceof HTMLElement) || sibling.inert) continue;
        sibling.inert = true;
        covered.push(sibling);
      }
    }
    return () => {
      for (const one of covered) one.inert = false;
    };
  }, [isFull, element]);
  return { isFull, setFull };
}
