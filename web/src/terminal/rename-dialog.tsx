import { useState } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/forms/field.tsx';

/** The name of a tab. */
export function RenameDialog({
  name,
  onRename,
  onClose,
}: {
  name: string;
  onRename: (name: string) => void;
  onClose: () => void;
}) {
  const { terminal: words, common } = useStrings();
  const [text, setText] = useState(name);
  return (
    <Dialog title={words.tabs.rename} isOpen onOpenChange={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          onRename(text.trim());
          onClose();
        }}
      >
        <TextField
          label={words.tabs.name}
          help={words.tabs.nameHelp}
          value={text}
          maxLength={40}
          onChange={({ target }) => setText(target.value)}
        />
        <Button type="submit" look="primary">
          {common.save}
        </Button>
      </form>
    </Dialog>
  );
}
