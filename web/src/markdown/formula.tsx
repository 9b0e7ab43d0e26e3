import { type RefObject, useEffect, useRef, useState } from 'react';
import { useSeen } from './use-seen.ts';

/** Characters of a formula. Longer ones stay as they are written. */
const maxLength = 5000;
/** A formula cannot take long, cover the page, or lead anywhere. `maxSize` is in em. */
const limits = { maxExpand: 500, maxSize: 20, trust: false, strict: 'ignore' } as const;

/** A formula in TeX within a line. The library is loaded with the first formula that is seen. One with an error stays as it is written. */
export function Formula({ formula }: { formula: string }) {
  const outside = useRef<HTMLSpanElement>(null);
  const inside = useRef<HTMLSpanElement>(null);
  const isDrawn = useDrawn(outside, inside, formula, false);
  return (
    <span ref={outside} className="formula">
      {!isDrawn && <code>{formula}</code>}
      <span ref={inside} hidden={!isDrawn} />
    </span>
  );
}

/** One on lines of its own. */
export function BlockFormula({ formula }: { formula: string }) {
  const outside = useRef<HTMLDivElement>(null);
  const inside = useRef<HTMLDivElement>(null);
  const isDrawn = useDrawn(outside, inside, formula, true);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard (axe: scrollable-region-focusable)
    <div ref={outside} tabIndex={0} className="formula-block">
      {!isDrawn && <code>{formula}</code>}
      <div ref={inside} hidden={!isDrawn} />
    </div>
  );
}

function useDrawn(
  outside: RefObject<HTMLElement | null>,
  inside: RefObject<HTMLElement | null>,
  formula: string,
  displayMode: boolean,
): boolean {
  const isSeen = useSeen(outside);
  const [drawn, setDrawn] = useState<string>();
  useEffect(() => {
    if (!isSeen || formula.length > maxLength) return;
    let isCurrent = true;
    const draw = async (): Promise<void> => {
      const { katex } = await import('./katex.ts');
      if (!isCurrent || !inside.current) return;
      katex.render(formula, inside.current, { ...limits, displayMode });
      setDrawn(formula);
    };
    // Without the library, or with an error in it, the formula is still readable.
    draw().catch(() => {});
    return () => {
      isCurrent = false;
    };
  }, [isSeen, formula, displayMode, inside]);
  return drawn === formula;
}
