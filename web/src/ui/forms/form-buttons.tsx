import { createContext, type ReactNode, useContext } from 'react';
import { useStrings } from '../../strings/use-strings.tsx';
import { Button } from '../button.tsx';

/** Closes the dialog around a form. Undefined outside of dialogs. */
export const CloseDialog = createContext<(() => void) | undefined>(undefined);

/** The last line of a form: in a dialog the way out, then the button that sends the form. */
export function FormButtons({ children }: { children: ReactNode }) {
  const t = useStrings();
  const close = useContext(CloseDialog);
  return (
    <div className="flex flex-wrap justify-end gap-2">
      {close && <Button onClick={close}>{t.common.cancel}</Button>}
      {children}
    </div>
  );
}
