import { type ReactNode, useSyncExternalStore } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { remember, remembered } from './remember.ts';

const wide = matchMedia('(min-width: 900px)');
/** The percentage of the first part, beside which a terminal has 80 columns in a window of 1280 pixels without the navigation. */
const initialWide = 45;
const subscribe = (listener: () => void): (() => void) => {
  wide.addEventListener('change', listener);
  return () => wide.removeEventListener('change', listener);
};

/** Whether there is room for two parts side by side. */
export const useIsWide = (): boolean => useSyncExternalStore(subscribe, () => wide.matches);

/**
 * Two parts of a page with a bar between them, which is moved by dragging or by the arrow keys. The parts are side by side, or one above
 * the other in a narrow window. The bar's position is stored under `name`. Without a second part, the first fills the space, and keeps its
 * state when the second is added or removed.
 */
export function SplitView({
  name,
  label,
  first,
  second,
}: {
  name: string;
  /** The label of the bar, for screen readers. */
  label: string;
  first: ReactNode;
  second?: ReactNode;
}) {
  const isSplit = second !== undefined;
  const isWide = useIsWide();
  const key = `split-${name}-${isWide ? 'wide' : 'narrow'}`;
  // Side by side, no part is narrower than its bars and a line of text need.
  const minSize = isWide ? '360px' : '15%';
  const initial = isWide ? initialWide : 50;
  const stored = Number(remembered(key) ?? initial);
  const size = stored >= 15 && stored <= 85 ? stored : initial;
  return (
    <Group
      key={key}
      orientation={isWide ? 'horizontal' : 'vertical'}
      defaultLayout={isSplit ? { first: size, second: 100 - size } : { first: 100 }}
      onLayoutChanged={({ first: next }) => next !== undefined && isSplit && remember(key, next.toFixed(1))}
      className="h-full"
    >
      <Panel id="first" minSize={isSplit ? minSize : '0%'} defaultSize={isSplit ? `${size}%` : '100%'}>
        {first}
      </Panel>
      {isSplit && (
        <>
          <Separator
            aria-label={label}
            className={`${isWide ? 'w-2' : 'h-3'} relative shrink-0 bg-line transition-colors hover:bg-accent data-[separator=active]:bg-accent focus-visible:bg-accent`}
          />
          <Panel id="second" minSize={minSize} defaultSize={`${100 - size}%`}>
            {second}
          </Panel>
        </>
      )}
    </Group>
  );
}
