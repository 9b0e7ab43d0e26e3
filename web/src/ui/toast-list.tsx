import { Toast } from 'radix-ui';
import { useStrings } from '../strings/use-strings.tsx';
import { classes } from './classes.ts';

export type ToastKind = 'good' | 'bad' | 'info' | 'warn';
export type ToastItem = { id: number; kind: ToastKind; text: string };

const millisecondsShown: Record<ToastKind, number> = { good: 4000, info: 8000, bad: 12_000, warn: 15_000 };
const looks: Record<ToastKind, string> = {
  good: 'border-good bg-good-soft',
  bad: 'border-bad bg-bad-soft',
  info: 'border-info bg-info-soft',
  warn: 'border-warn bg-warn-soft',
};

/** The toasts themselves. They stay while the pointer is over them, and can be swiped away. */
export function ToastList({ items, onGone }: { items: readonly ToastItem[]; onGone: (id: number) => void }) {
  const t = useStrings();
  return (
    <Toast.Provider swipeDirection="right" label={t.common.notification}>
      {items.map(({ id, kind, text }) => (
        <Toast.Root
          key={id}
          duration={millisecondsShown[kind]}
          onOpenChange={(isOpen) => !isOpen && onGone(id)}
          className={classes('rounded-md border px-4 py-3 text-sm shadow-lg', looks[kind])}
        >
          <Toast.Description>{text}</Toast.Description>
        </Toast.Root>
      ))}
      <Toast.Viewport
        label={`${t.common.notifications} ({hotkey})`}
        className="fixed right-4 bottom-4 z-[60] flex w-80 max-w-[calc(100%-2rem)] flex-col gap-2 outline-none"
      />
    </Toast.Provider>
  );
}
