import { useState } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { inputClasses } from '../ui/forms/field.tsx';
import { DiffView } from './diff-view.tsx';
import type { TextEditor } from './use-text-editor.ts';

/** Shown while a text is not saved: what has changed, save, discard. */
export function SaveText({
  editor: { isDirty, isSaving, discard, hasEarlierDraft },
  message,
  onMessage,
  onSave,
}: {
  editor: TextEditor;
  message: string;
  onMessage: (message: string) => void;
  onSave: () => void;
}) {
  const t = useStrings();
  const words = t.written;
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      {isDirty && (
        <section
          aria-label={words.unsaved}
          className="sticky bottom-3 z-20 flex flex-wrap items-center gap-2 rounded-lg border border-warn bg-raised px-4 py-3 shadow-lg"
        >
          <p className="mr-auto text-sm font-medium text-warn">
            {hasEarlierDraft ? words.restoredDraft : words.unsaved}
          </p>
          <input
            aria-label={words.message}
            placeholder={words.message}
            value={message}
            maxLength={500}
            onChange={({ target }) => onMessage(target.value)}
            className={`${inputClasses} sm:w-64`}
          />
          <Button disabled={isSaving} onClick={() => setAsking(true)}>
            {words.discard}
          </Button>
          <Button look="primary" isBusy={isSaving} onClick={onSave}>
            {t.common.save}
          </Button>
        </section>
      )}
      <Confirm
        title={words.discardTitle}
        action={words.discard}
        isOpen={isAsking}
        onOpenChange={setAsking}
        onConfirm={async () => discard()}
      >
        <p>{words.discardHelp}</p>
      </Confirm>
    </>
  );
}

/** Another revision was saved since: shows how the texts differ, and lets the author choose. */
export function SaveConflict({ editor, message }: { editor: TextEditor; message: string }) {
  const words = useStrings().written;
  const { other, text, save, take, isSaving } = editor;
  if (!other) return null;
  return (
    <section
      role="alert"
      aria-label={words.conflictTitle}
      className="flex flex-col gap-3 rounded-lg border border-warn p-4"
    >
      <h2 className="font-semibold text-warn">{words.conflictTitle}</h2>
      <p className="text-sm">{words.conflictHelp}</p>
      <DiffView label={words.conflictDiff} before={other.text ?? ''} after={text} />
      <div className="flex flex-wrap gap-2">
        <Button look="primary" isBusy={isSaving} onClick={() => void save(message, other.revision)}>
          {words.keepMine}
        </Button>
        <Button disabled={isSaving} onClick={() => take(other)}>
          {words.takeTheirs}
        </Button>
      </div>
    </section>
  );
}
