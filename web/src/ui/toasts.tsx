import { createContext, lazy, type ReactNode, Suspense, useCallback, useContext, useMemo, useState } from 'react';
import { neededPart } from '../routing/needed-part.ts';
import { useProblemText } from './problem-note.tsx';
import type { ToastAction, ToastItem, ToastKind } from './toast-list.tsx';

type Say = {
  done: (text: string) => void;
  inform: (text: string) => void;
  warn: (text: string) => void;
  failed: (error: unknown) => void;
  /** With a button, for some seconds. */
  offer: (text: string, action: ToastAction) => void;
};

const ToastContext = createContext<Say | undefined>(undefined);
// Loaded with the first toast.
const ToastList = lazy(() => neededPart(async () => (await import('./toast-list.tsx')).ToastList));
let lastId = 0;
/** More would take the room of the page on a phone. */
const maxShown = 3;

/** Short-lived notes at the edge of the page, announced by screen readers. */
export function Toasts({ children }: { children: ReactNode }) {
  const [items, setItems] = useState<readonly ToastItem[]>([]);
  const problemText = useProblemText();
  const add = useCallback((kind: ToastKind, text: string, action?: ToastAction) => {
    lastId += 1;
    const item = { id: lastId, kind, text, action };
    setItems((shown) => [...shown.slice(1 - maxShown), item]);
  }, []);
  const say = useMemo(
    (): Say => ({
      done: (text) => add('good', text),
      inform: (text) => add('info', text),
      warn: (text) => add('warn', text),
      failed: (error) => add('bad', problemText(error)),
      offer: (text, action) => add('info', text, action),
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
