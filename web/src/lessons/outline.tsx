import { useEffect, useState } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import type { Heading } from './tree-plugins.ts';

/** The headings of a lesson. The current one is marked. */
export function Outline({ headings, scroller }: { headings: readonly Heading[]; scroller: HTMLElement | null }) {
  const t = useStrings();
  const shown = headings.filter(({ level }) => level <= 3);
  const current = useCurrent(shown, scroller);
  return (
    <nav aria-label={t.lessons.outline} className="sticky top-6 max-h-[calc(100dvh-10rem)] overflow-y-auto text-sm">
      <p className="mb-2 font-medium">{t.lessons.outline}</p>
      <ul className="border-l">
        {shown.map(({ id, text, level }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              aria-current={id === current ? 'location' : undefined}
              className={`-ml-px block border-l-2 border-transparent py-1 text-ink-soft hover:text-ink aria-[current]:border-accent aria-[current]:text-ink ${level > 2 ? 'pl-6' : 'pl-3'}`}
            >
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The last heading above the middle of the upper half. */
function useCurrent(headings: readonly Heading[], scroller: HTMLElement | null): string | undefined {
  const [current, setCurrent] = useState<string>();
  useEffect(() => {
    if (!scroller) return;
    const look = (): void => {
      const { top, height } = scroller.getBoundingClientRect();
      const passed = headings.filter(({ id }) => {
        const place = document.getElementById(id)?.getBoundingClientRect().top;
        return place !== undefined && place < top + height / 4;
      });
      setCurrent((passed.at(-1) ?? headings[0])?.id);
    };
    look();
    scroller.addEventListener('scroll', look, { passive: true });
    return () => scroller.removeEventListener('scroll', look);
  }, [headings, scroller]);
  return current;
}
