import { Toast } from 'radix-ui';
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react';
import { classes } from './classes.ts';
import { useProblemText } from './problem-note.tsx';

type Kind = 'good' | 'bad' | 'info' | 'warn';
type Item = { id: number; kind: Kind; text: string };
type Say = {
  done: (text: string) => void;
  tell: (text: string) => void;
  warn: (text: string) => void;
  failed: (error: unknown) => void;
};

const ToastContext = createContext<Say | undefined>(undefined);
const millisecondsShown: Record<Kind, number> = { good: 4000, info: 8000, bad: 12_000, warn: 15_000 };
const looks: Record<Kind, string> = {
  good: 'border-good bg-good-soft',
  bad: 'border-bad bg-bad-soft',
  info: 'border-info bg-info-soft',
  warn: 'border-warn bg-warn-soft',
};
let lastId = 0;

/** Short notes that come and go at the edge of the page, read out by screen readers. */
export function Toasts({ children }: { children: ReactNode }) {
  const [items, setItems] = useState<readonly Item[]>([]);
  const problemText = useProblemText();
  const add = useCallback((kind: Kind, text: string) => {
    lastId += 1;
    const item = { id: lastId, kind, text };
    setItems((shown) => [...shown.slice(-4), item]);
  }, []);
  const say = useMemo(
    (): Say => ({
      done: (text) => add('good', text),
      tell: (text) => add('info', text),
      warn: (text) => add('warn', text),
      failed: (error) => add('bad', problemText(error)),
    }),
    [add, problemText],
  );
  return (
    <ToastContext.Provider value={say}>
      <Toast.Provider swipeDirection="right">
        {children}
        {items.map(({ id, kind, text }) => (
          <Toast.Root
            key={id}
            duration={millisecondsShown[kind]}
            onOpenChange={(isOpen) => !isOpen && setItems((shown) => shown.filter((item) => item.id !== id))}
            className={classes('rounded-md border px-4 py-3 text-sm shadow-lg', looks[kind])}
          >
            <Toast.Description>{text}</Toast.Description>
          </Toast.Root>
        ))}
        <Toast.Viewport className="fixed right-4 bottom-4 z-[60] flex w-80 max-w-[calc(100%-2rem)] flex-col gap-2 outline-none" />
      </Toast.Provider>
    </ToastContext.Provider>
  );
}

export function useToasts(): Say {
  const say = useContext(ToastContext);
  if (!say) throw new Error('There are no toasts outside Toasts');
  return say;
}
