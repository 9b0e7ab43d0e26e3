import { Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import { IconButton } from './button.tsx';
import { Confirm } from './dialog.tsx';

/** A button that deletes after a confirmation. Its dialog contains the title, what a deletion means, and the action. */
export function DeleteButton({
  label,
  title,
  action,
  children,
  onConfirm,
}: {
  label: string;
  title: string;
  /** Default: delete. */
  action?: string;
  children: ReactNode;
  onConfirm: () => Promise<unknown>;
}) {
  const t = useStrings();
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <IconButton label={label} aria-haspopup="dialog" onClick={() => setAsking(true)}>
        <Trash2 size={18} aria-hidden="true" />
      </IconButton>
      <Confirm
        title={title}
        action={action ?? t.common.delete}
        isOpen={isAsking}
        onOpenChange={setAsking}
        onConfirm={onConfirm}
      >
        {children}
      </Confirm>
    </>
  );
}
