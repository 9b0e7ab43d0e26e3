import { useEffect, useState } from 'react';
import type { Heading } from '../markdown/parsing/tree-plugins.ts';
import { useStrings } from '../strings/use-strings.tsx';

type Props = { headings: readonly Heading[]; scroller: HTMLElement | null };

/** The headings of a lesson beside its text. The current one is marked. */
export function Outline({ headings, scroller }: Props) {
  const t = useStrings();
  const shown = shownOf(headings);
  const current = useCurrent(shown, scroller);
  return (
    <nav aria-label={t.reader.outline} className="sticky top-6 max-h-[calc(100dvh-10rem)] overflow-y-auto text-sm">
      <p className="mb-2 font-medium">{t.reader.outline}</p>
      <Places places={shown} current={current} />
    </nav>
  );
}

/** The same above the text, where there is no room beside it: the current heading, which opens the others. */
export function FoldedOutline({ headings, scroller }: Props) {
  const t = useStrings();
  const shown = shownOf(headings);
  const current = useCurrent(shown, scroller);
  const place = shown.find(({ id }) => id === current);
  const [isOpen, setOpen] = useState(false);
  return (
    <nav
      aria-label={t.reader.outline}
      className="sticky top-0 z-10 -mx-4 border-b bg-ground px-4 text-sm sm:-mx-8 sm:px-8"
    >
      <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary className="cursor-pointer truncate py-2">
          <span className="text-ink-soft">{t.reader.outline}:</span> {place?.text}
        </summary>
        <div className="max-h-[60dvh] overflow-y-auto pb-3">
          <Places places={shown} current={current} onGo={() => setOpen(false)} />
        </div>
      </details>
    </nav>
  );
}

const shownOf = (headings: readonly Heading[]): Heading[] => headings.filter(({ level }) => level <= 3);

function Places({
  places,
  current,
  onGo,
}: {
  places: readonly Heading[];
  current: string | undefined;
  onGo?: () => void;
}) {
  return (
    <ul className="border-l">
      {places.map(({ id, text, level }) => (
        <li key={id}>
          <a
            href={`#${id}`}
            onClick={onGo}
            aria-current={id === current ? 'location' : undefined}
            className={`-ml-px block border-l-2 border-transparent py-1 text-ink-soft hover:text-ink aria-[current]:border-accent aria-[current]:text-ink ${level > 2 ? 'pl-6' : 'pl-3'}`}
          >
            {text}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** The last heading above the middle of the upper half. At the end of the text it is the last one, which may not come up so far. */
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
      const { scrollTop, clientHeight, scrollHeight } = scroller;
      const isAtEnd = scrollTop > 0 && scrollTop + clientHeight >= scrollHeight - 1;
      setCurrent((isAtEnd ? headings.at(-1) : (passed.at(-1) ?? headings[0]))?.id);
    };
    look();
    scroller.addEventListener('scroll', look, { passive: true });
    return () => scroller.removeEventListener('scroll', look);
  }, [headings, scroller]);
  return current;
}
