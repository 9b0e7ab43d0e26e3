import { X } from 'lucide-react';
import { Toast } from 'radix-ui';
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
 * The toasts themselves, above a corner of the page: nothing moves or changes its size for them. They stay while the pointer is over them,
 * and can be closed or swiped away.
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
        label={`${t.common.notifications} ({hotkey})`}
        className="pointer-events-none fixed right-0 z-[60] flex max-h-[50dvh] flex-col items-end gap-2 overflow-y-auto p-4 outline-none empty:hidden *:pointer-events-auto *:shadow-lg max-sm:inset-x-0 max-sm:top-28 sm:bottom-0"
      />
    </Toast.Provider>
  );
}
