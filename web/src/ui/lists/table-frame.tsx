import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { classes } from '../classes.ts';

/**
 * The frame of a table, whose head stays in sight. A table that fits scrolls with the page; one that is too wide scrolls within the
 * frame, which is lower than the window then, so that its head and its scrollbars are in sight.
 */
export function TableFrame({ label, children }: { label: string; children: ReactNode }) {
  const frame = useRef<HTMLElement>(null);
  const [isWide, setWide] = useState(false);
  useLayoutEffect(() => {
    const section = frame.current;
    const table = section?.querySelector('table');
    if (!section || !table) return;
    const observer = new ResizeObserver(() => setWide(table.offsetWidth > section.offsetWidth));
    observer.observe(section);
    observer.observe(table);
    return () => observer.disconnect();
  }, []);
  return (
    <section
      ref={frame}
      aria-label={label}
      // What scrolls must be reachable by the keyboard (axe: scrollable-region-focusable).
      tabIndex={isWide ? 0 : undefined}
      className={classes('table-frame panel', isWide ? 'max-h-[80dvh] overflow-auto' : 'overflow-clip')}
    >
      {children}
    </section>
  );
}
