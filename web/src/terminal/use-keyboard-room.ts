import { type RefObject, useEffect, useState } from 'react';

/** The part of the window that a keyboard on the screen leaves. */
export type Room = { top: number; height: number };

/** Pixels that a keyboard takes at least. */
const leastKeyboard = 100;

/** The room above a keyboard on the screen while the focus is in an element. Undefined without one. */
export function useKeyboardRoom(element: RefObject<HTMLElement | null>): Room | undefined {
  const [room, setRoom] = useState<Room>();
  useEffect(() => {
    const view = window.visualViewport;
    if (!view) return;
    // Without a keyboard. Some browsers make the page smaller, and others only what is seen of it.
    let tallest = window.innerHeight;
    let width = window.innerWidth;
    const measure = (): void => {
      if (window.innerWidth !== width) tallest = window.innerHeight;
      width = window.innerWidth;
      tallest = Math.max(tallest, window.innerHeight);
      // A zoomed page also has a smaller view.
      const isCovered = view.scale === 1 && tallest - view.height > leastKeyboard;
      const isTouched = view.height < window.innerHeight - leastKeyboard || matchMedia('(pointer: coarse)').matches;
      const hasFocus = element.current?.contains(document.activeElement) ?? false;
      const next = isCovered && isTouched && hasFocus ? { top: view.offsetTop, height: view.height } : undefined;
      setRoom((before) => (before?.top === next?.top && before?.height === next?.height ? before : next));
    };
    const stop = new AbortController();
    for (const name of ['resize', 'scroll']) view.addEventListener(name, measure, stop);
    for (const name of ['focusin', 'focusout']) document.addEventListener(name, () => setTimeout(measure), stop);
    return () => stop.abort();
  }, [element]);
  return room;
}
