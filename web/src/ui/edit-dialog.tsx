import type { ReactNode } from 'react';
import { Dialog } from './dialog.tsx';

/** A dialog with the form of a row of a list that is edited, or of a new one. Undefined: it is closed. */
export function EditDialog<Row extends { name: string }>({
  edited,
  add,
  edit,
  onClose,
  children,
}: {
  edited: Row | 'new' | undefined;
  /** The titles. */
  add: string;
  edit: (name: string) => string;
  onClose: () => void;
  children: (row: Row | undefined) => ReactNode;
}) {
  const row = edited === 'new' ? undefined : edited;
  return (
    <Dialog title={row ? edit(row.name) : add} isOpen={edited !== undefined} onOpenChange={onClose}>
      {edited && children(row)}
    </Dialog>
  );
}
