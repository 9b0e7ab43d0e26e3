import { X } from 'lucide-react';
import { Toast } from 'radix-ui';
import { useLayoutEffect, useRef } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import { buttonClasses } from './button.tsx';
import { classes } from './classes.ts';
import { coversStuck, freePlace } from './free-place.ts';

export type ToastKind = 'good' | 'bad' | 'info' | 'warn';
export type ToastAction = { label: string; run: () => void };
export type ToastItem = { id: number; kind: ToastKind; text: string; action?: ToastAction | undefined };

const millisecondsShown: Record<ToastKind, number> = { good: 4000, info: 8000, bad: 12_000, warn: 15_000 };
const millisecondsOfActions = 10_000;
const looks: Record<ToastKind, string> = {
  good: 'border-good bg-good-soft',
  bad: 'border-bad bg-bad-soft',
  info: 'border-info bg-info-soft',
  warn: 'border-warn bg-warn-soft',
};

/** Milliseconds between two looks at what has come to be below the toasts. */
const lookPause = 100;

/**
 * The toasts themselves, above a free part of the page: nothing moves or changes its size for them, and they cover no control. They stay
 * while the pointer is over them, and can be closed or swiped away.
 */
export function ToastList({ items, onGone }: { items: readonly ToastItem[]; onGone: (id: number) => void }) {
  const t = useStrings();
  const list = usePlace();
  return (
    <Toast.Provider swipeDirection="right" label={t.common.notification}>
      {items.map(({ id, kind, text, action }) => (
        <Toast.Root
          key={id}
          duration={action ? millisecondsOfActions : millisecondsShown[kind]}
          onOpenChange={(isOpen) => !isOpen && onGone(id)}
          className={classes('flex items-center gap-2 rounded-md border py-1.5 pr-1.5 pl-4 text-sm', looks[kind])}
        >
          <Toast.Description className="min-w-0 flex-1 py-1 wrap-anywhere">{text}</Toast.Description>
          {action && (
            <Toast.Action altText={action.label} className={buttonClasses('plain', 'small')} onClick={action.run}>
              {action.label}
            </Toast.Action>
          )}
          <Toast.Close className={classes(buttonClasses('quiet', 'small'), 'aspect-square px-1!')}>
            <X size={16} aria-hidden="true" />
            <span className="sr-only">{t.common.close}</span>
          </Toast.Close>
        </Toast.Root>
      ))}
      <Toast.Viewport
        ref={list}
        label={`${t.common.notifications} ({hotkey})`}
        className="pointer-events-none fixed z-[60] flex w-max max-w-[min(28rem,calc(100vw-0.75rem))] flex-col items-end gap-1.5 outline-none empty:hidden *:pointer-events-auto *:shadow-lg"
      />
    </Toast.Provider>
  );
}

/** Leads the toasts to a free place. They stay there until they grow, or something comes below them that must not be covered. */
function usePlace() {
  const list = useRef<HTMLOListElement>(null);
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    const placed = { width: 0, height: 0 };
    const place = (): void => {
      const size = { width: element.offsetWidth, height: element.offsetHeight };
      if (size.height === 0) return;
      Object.assign(placed, size);
      const { left, top } = freePlace(size, element);
      // From the right, where the toasts that stay have their edge when a wider one goes.
      Object.assign(element.style, { right: `${innerWidth - left - size.width}px`, top: `${top}px` });
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = (): void => {
      timer ??= setTimeout(() => {
        timer = undefined;
        if (coversStuck(element)) place();
      }, lookPause);
    };
    const placeGrown = (): void => {
      if (element.offsetWidth > placed.width || element.offsetHeight > placed.height) place();
    };
    const growth = new ResizeObserver(placeGrown);
    growth.observe(element);
    // A toast has its place before anything looks at it: the next frame can be late.
    const arrivals = new MutationObserver(placeGrown);
    arrivals.observe(element, { childList: true });
    const changes = new MutationObserver(look);
    changes.observe(document.body, {
      childList: true,
      subtree: true,
      attributeFilter: ['class', 'hidden', 'disabled'],
    });
    addEventListener('resize', place);
    document.addEventListener('scrollend', look, true);
    return () => {
      clearTimeout(timer);
      growth.disconnect();
      arrivals.disconnect();
      changes.disconnect();
      removeEventListener('resize', place);
      document.removeEventListener('scrollend', look, true);
    };
  }, []);
  return list;
}
