import { useState } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { type Import, ImportForm } from './import-form.tsx';
import { type ImportedRow, ImportedUsers } from './imported-users.tsx';

/** Imports users from a file. Problems are listed by line. Generated passwords are shown only once. */
export function ImportDialog<Row extends ImportedRow>({
  isOpen,
  onClose,
  ...what
}: Import<Row> & { isOpen: boolean; onClose: () => void }) {
  const t = useStrings();
  const { texts } = what;
  const [imported, setImported] = useState<Row[]>();
  const close = (): void => {
    setImported(undefined);
    onClose();
  };
  return (
    <Dialog
      title={imported ? texts.imported(imported.length) : texts.title}
      description={
        imported
          ? imported.some(({ password }) => password !== null)
            ? t.administration.passwordsOnce
            : texts.noPasswords
          : texts.lead
      }
      width="max-w-2xl"
      isOpen={isOpen}
      onOpenChange={close}
    >
      {imported ? (
        <ImportedUsers users={imported} columns={what.columns} onDone={close} />
      ) : (
        <ImportForm {...what} onDone={setImported} />
      )}
    </Dialog>
  );
}
