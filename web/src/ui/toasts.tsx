import { createContext, lazy, type ReactNode, Suspense, useCallback, useContext, useMemo, useState } from 'react';
import { useProblemText } from './problem-note.tsx';
import type { ToastItem, ToastKind } from './toast-list.tsx';

type Say = {
  done: (text: string) => void;
  tell: (text: string) => void;
  warn: (text: string) => void;
  failed: (error: unknown) => void;
};

const ToastContext = createContext<Say | undefined>(undefined);
// Loaded with the first toast.
const ToastList = lazy(async () => ({ default: (await import('./toast-list.tsx')).ToastList }));
let lastId = 0;

/** Short-lived notes at the edge of the page, announced by screen readers. */
export function Toasts({ children }: { children: ReactNode }) {
  const [items, setItems] = useState<readonly ToastItem[]>([]);
  const problemText = useProblemText();
  const add = useCallback((kind: ToastKind, text: string) => {
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
      {children}
      {items.length > 0 && (
        <Suspense>
          <ToastList items={items} onGone={(id) => setItems((shown) => shown.filter((item) => item.id !== id))} />
        </Suspense>
      )}
    </ToastContext.Provider>
  );
}

export function useToasts(): Say {
  const say = useContext(ToastContext);
  if (!say) throw new Error('There are no toasts outside Toasts');
  return say;
}
