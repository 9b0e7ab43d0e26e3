import { type RefObject, useCallback, useEffect, useRef } from 'react';

/**
 * Ctrl+Shift+Up leads from the terminal to the text, and from the text to the terminal.
 * @param toTerminal focuses the terminal
 * @returns what leads to the text: to where the user was, or to the page's content
 */
export function useTextKey(terminal: RefObject<HTMLElement | null>, toTerminal: () => void): () => void {
  const text = useRef<HTMLElement>(undefined);
  const latest = useRef(toTerminal);
  latest.current = toTerminal;
  useEffect(() => {
    const stop = new AbortController();
    const isHere = (target: EventTarget | null): boolean =>
      target instanceof Node && (terminal.current?.contains(target) ?? false);
    document.addEventListener(
      'focusin',
      ({ target }) => {
        if (target instanceof HTMLElement && !isHere(target)) text.current = target;
      },
      stop,
    );
    document.addEventListener(
      'keydown',
      (event) => {
        if (event.code !== 'ArrowUp' || !event.ctrlKey || !event.shiftKey || event.altKey || isHere(event.target))
          return;
        // A dialog keeps the focus.
        if (event.target instanceof Element && event.target.closest('[role$="dialog"]')) return;
        event.preventDefault();
        latest.current();
      },
      stop,
    );
    return () => stop.abort();
  }, [terminal]);
  return useCallback(() => {
    const last = text.current?.isConnected ? text.current : undefined;
    (last ?? document.getElementById('content'))?.focus();
  }, []);
}
