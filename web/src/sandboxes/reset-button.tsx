import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import { IconButton } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { type Container, useSandboxActions } from './queries.ts';

/** Replaces a sandbox by a new one, after a confirmation. */
export function ResetButton({
  container: { id, name },
  onReset,
}: {
  container: Container;
  /** The sandbox as it is now. */
  onReset?: (container: Container) => void;
}) {
  const { sandboxes: words } = useStrings();
  const toasts = useToasts();
  const { reset } = useSandboxActions();
  const [isAsking, setAsking] = useState(false);
  const confirm = async (): Promise<void> => {
    const container = await reset.mutateAsync(id);
    toasts.done(words.resetDone(name));
    onReset?.(container);
  };
  return (
    <>
      <IconButton label={words.resetNamed(name)} aria-haspopup="dialog" onClick={() => setAsking(true)}>
        <RotateCcw size={18} aria-hidden="true" />
      </IconButton>
      <Confirm
        title={words.resetTitle(name)}
        action={words.reset}
        isOpen={isAsking}
        onOpenChange={setAsking}
        onConfirm={confirm}
      >
        <p>{words.resetHelp}</p>
      </Confirm>
    </>
  );
}
