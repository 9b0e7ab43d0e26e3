import { X } from 'lucide-react';
import { AlertDialog as RadixAlert, Dialog as RadixDialog } from 'radix-ui';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import { Button, buttonClasses } from './button.tsx';
import { classes } from './classes.ts';
import { CloseDialog } from './forms/form-buttons.tsx';
import { ProblemNote } from './problem-note.tsx';

const overlay = 'fixed inset-0 z-40 bg-black/50';
const box =
  'fixed left-1/2 top-1/2 z-50 max-h-[90dvh] w-[calc(100%-2rem)] -translate-x-1/2 -translate-y-1/2 overflow-y-auto rounded-lg border bg-raised p-5 shadow-xl';

/**
 * Returns the focus to where it was before a dialog opened, or to the page if that element no longer exists. Radix does so only for
 * triggers.
 */
function useFocusGivenBack() {
  const before = useRef<Element>(null);
  return {
    remember: (): void => {
      before.current = document.activeElement;
    },
    giveBack: (event: Event): void => {
      event.preventDefault();
      const element = before.current?.isConnected ? before.current : document.getElementById('content');
      if (element instanceof HTMLElement) element.focus({ preventScroll: true });
    },
  };
}

/** In a dialog with a form, focuses the first field. In other dialogs, the first focusable element has the focus. */
function focusFirstField(event: Event): void {
  const box = event.currentTarget instanceof HTMLElement ? event.currentTarget : undefined;
  const field = box?.querySelector<HTMLElement>('form :is(input, textarea, select):enabled');
  if (!field) return;
  event.preventDefault();
  field.focus();
}

/** Escape closes a dialog from its first moment. Radix listens to the key only after further steps, which a slow machine does later. */
function isEscape(event: KeyboardEvent<HTMLElement>): boolean {
  if (event.key !== 'Escape' || event.defaultPrevented) return false;
  // React also reports the keys of a dialog above this one.
  const isOwn = event.currentTarget.contains(event.target as Node);
  if (isOwn) event.preventDefault();
  return isOwn;
}

/** A dialog above the page. Traps the focus, and returns it when it closes. */
export function Dialog({
  title,
  description,
  isOpen,
  onOpenChange,
  onClosed,
  width = 'max-w-lg',
  children,
}: {
  title: string;
  description?: string;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  /** Called once the focus is given back. */
  onClosed?: () => void;
  width?: string;
  children: ReactNode;
}) {
  const t = useStrings();
  const focus = useFocusGivenBack();
  return (
    <RadixDialog.Root open={isOpen} onOpenChange={onOpenChange}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className={overlay} />
        <RadixDialog.Content
          className={classes(box, width)}
          onOpenAutoFocus={(event) => {
            focus.remember();
            focusFirstField(event);
          }}
          onCloseAutoFocus={(event) => {
            focus.giveBack(event);
            onClosed?.();
          }}
          onKeyDown={(event) => isEscape(event) && onOpenChange(false)}
          {...(description ? {} : { 'aria-describedby': undefined })}
        >
          <div className="mb-4 flex items-start justify-between gap-4">
            <div>
              <RadixDialog.Title className="text-lg font-semibold">{title}</RadixDialog.Title>
              {description && (
                <RadixDialog.Description className="mt-1 text-sm text-ink-soft">{description}</RadixDialog.Description>
              )}
            </div>
            <RadixDialog.Close
              className={classes(buttonClasses('quiet', 'small'), 'aspect-square px-1!')}
              aria-label={t.common.close}
            >
              <X size={18} aria-hidden="true" />
            </RadixDialog.Close>
          </div>
          <CloseDialog value={() => onOpenChange(false)}>{children}</CloseDialog>
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

/** Asks for a confirmation of an irreversible action, then runs it. Stays open with the error where it fails. */
export function Confirm({
  title,
  children,
  action,
  look = 'danger',
  isOpen,
  onOpenChange,
  onConfirm,
}: {
  title: string;
  children: ReactNode;
  /** The label of the confirmation button. */
  action: string;
  look?: 'danger' | 'primary';
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  onConfirm: () => Promise<unknown>;
}) {
  const t = useStrings();
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const focus = useFocusGivenBack();
  const confirm = async (): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      await onConfirm();
      onOpenChange(false);
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(false);
    }
  };
  const change = (next: boolean): void => {
    if (isBusy) return;
    setError(undefined);
    onOpenChange(next);
  };
  return (
    <RadixAlert.Root open={isOpen} onOpenChange={change}>
      <RadixAlert.Portal>
        <RadixAlert.Overlay className={overlay} />
        <RadixAlert.Content
          className={classes(box, 'max-w-md')}
          onOpenAutoFocus={focus.remember}
          onCloseAutoFocus={focus.giveBack}
          onKeyDown={(event) => isEscape(event) && change(false)}
        >
          <RadixAlert.Title className="text-lg font-semibold">{title}</RadixAlert.Title>
          <RadixAlert.Description asChild>
            <div className="mt-2 flex flex-col gap-2 text-sm text-ink-soft">{children}</div>
          </RadixAlert.Description>
          {error !== undefined && (
            <div className="mt-3">
              <ProblemNote error={error} />
            </div>
          )}
          <div className="mt-5 flex justify-end gap-2">
            <RadixAlert.Cancel className={buttonClasses()} disabled={isBusy}>
              {t.common.cancel}
            </RadixAlert.Cancel>
            <Button look={look} isBusy={isBusy} onClick={() => void confirm()}>
              {action}
            </Button>
          </div>
        </RadixAlert.Content>
      </RadixAlert.Portal>
    </RadixAlert.Root>
  );
}
