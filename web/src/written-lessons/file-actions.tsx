import { useQueryClient } from '@tanstack/react-query';
import { History, PencilLine } from 'lucide-react';
import { useState } from 'react';
import { navigate } from '../routing/location.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { DeleteButton } from '../ui/delete-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { PathForm } from './path-form.tsx';
import { changeFile, deleteFile, type WrittenText, writtenKey } from './queries.ts';
import { RevisionList } from './revision-list.tsx';

/** The history of a file, its name, and its deletion. */
export function FileActions({
  file,
  isDirty,
  onChange,
  onRename,
}: {
  file: WrittenText;
  /** There is text that is not saved. */
  isDirty: boolean;
  /** Gets the file with another text. */
  onChange: (file: WrittenText) => void;
  onRename: (file: WrittenText) => void;
}) {
  const words = useStrings().written;
  const toasts = useToasts();
  const client = useQueryClient();
  const [open, setOpen] = useState<'history' | 'rename'>();
  const close = (): void => setOpen(undefined);
  const { id, path, is_deleted } = file;
  const rename = async (next: string): Promise<void> => {
    const renamed = await changeFile(id, { path: next });
    onRename(renamed);
    toasts.done(words.renamed(renamed.path));
    close();
  };
  const remove = async (): Promise<void> => {
    await deleteFile(id);
    toasts.done(words.removed(path));
    await client.invalidateQueries({ queryKey: writtenKey });
    navigate({ to: '/administration/written-lessons' });
  };
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => setOpen('history')}>
        <History size={16} aria-hidden="true" /> {words.history}
      </Button>
      {!is_deleted && (
        <>
          <Button aria-haspopup="dialog" onClick={() => setOpen('rename')}>
            <PencilLine size={16} aria-hidden="true" /> {words.rename}
          </Button>
          <DeleteButton label={words.remove} title={words.removeTitle(path)} onConfirm={remove}>
            <p>{words.removeHelp}</p>
          </DeleteButton>
        </>
      )}
      <Dialog title={words.rename} description={words.renameHelp} isOpen={open === 'rename'} onOpenChange={close}>
        <PathForm path={path} onSend={rename} onClose={close} />
      </Dialog>
      <Dialog title={words.historyOf(path)} isOpen={open === 'history'} onOpenChange={close} width="max-w-4xl">
        <RevisionList
          file={file}
          isDirty={isDirty}
          onRestore={(restored) => {
            onChange(restored);
            close();
          }}
        />
      </Dialog>
    </>
  );
}
