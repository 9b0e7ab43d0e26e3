import { type RefObject, useEffect, useState } from 'react';

/** Elements that are this near to what is visible are prepared. */
const rootMargin = '600px 0px';

/** Whether an element has been near what is visible of the page. */
export function useSeen(element: RefObject<HTMLElement | null>): boolean {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (isSeen || !element.current) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
      },
      { rootMargin, root: element.current.closest('[data-scroll-restoration-id]') },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [isSeen, element]);
  return isSeen;
}
