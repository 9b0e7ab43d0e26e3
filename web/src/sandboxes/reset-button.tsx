import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import { ActionButton, type BarAction } from '../terminal/bar-action.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { type Container, useSandboxActions } from './queries.ts';

/**
 * Replaces a sandbox by a new one, after a confirmation.
 * @param onReset gets the sandbox as it is now
 * @returns the action for the bar of a terminal, and its question
 */
export function useReset({ id, name }: Container, onReset?: (container: Container) => void) {
  const { sandboxes: words } = useStrings();
  const toasts = useToasts();
  const { reset } = useSandboxActions();
  const [isAsking, setAsking] = useState(false);
  const action: BarAction = { label: words.resetNamed(name), icon: RotateCcw, run: () => setAsking(true) };
  const question = (
    <Confirm
      title={words.resetTitle(name)}
      action={words.reset}
      isOpen={isAsking}
      onOpenChange={setAsking}
      onConfirm={async () => {
        const container = await reset.mutateAsync(id);
        toasts.done(words.resetDone(name));
        onReset?.(container);
      }}
    >
      <p>{words.resetHelp}</p>
    </Confirm>
  );
  return { action, question };
}

export function ResetButton({ container }: { container: Container }) {
  const { action, question } = useReset(container);
  return (
    <>
      <ActionButton action={action} />
      {question}
    </>
  );
}
