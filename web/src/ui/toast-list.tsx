import { X } from 'lucide-react';
import { Toast } from 'radix-ui';
import { useEffect, useRef } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import { buttonClasses } from './button.tsx';
import { classes } from './classes.ts';

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

/**
 * The toasts themselves, in a row below the page, which is shorter meanwhile: they never cover anything. They stay while the pointer is
 * over them, and can be swiped away.
 */
export function ToastList({ items, onGone }: { items: readonly ToastItem[]; onGone: (id: number) => void }) {
  const t = useStrings();
  return (
    <Toast.Provider swipeDirection="right" label={t.common.notification}>
      {items.map(({ id, kind, text, action }) => (
        <Toast.Root
          key={id}
          duration={action ? millisecondsOfActions : millisecondsShown[kind]}
          onOpenChange={(isOpen) => !isOpen && onGone(id)}
          className={classes(
            'flex items-center gap-2 rounded-md border py-1.5 pr-1.5 pl-4 text-sm max-sm:w-full sm:max-w-md',
            looks[kind],
          )}
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
        ref={useRoom()}
        label={`${t.common.notifications} ({hotkey})`}
        className="pointer-events-auto fixed inset-x-0 bottom-0 z-[60] flex max-h-[50dvh] flex-wrap justify-end gap-2 overflow-y-auto border-t bg-ground px-4 py-2 outline-none empty:hidden"
      />
    </Toast.Provider>
  );
}

/** Takes the height of an element away from the page and from dialogs: `--toast-room` in styles.css. */
function useRoom() {
  const box = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => {
      style.setProperty('--toast-room', `${box.current?.offsetHeight ?? 0}px`);
    });
    if (box.current) observer.observe(box.current);
    return () => {
      observer.disconnect();
      style.removeProperty('--toast-room');
    };
  }, []);
  return box;
}
