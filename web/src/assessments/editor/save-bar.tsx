import { useState } from 'react';
import { useBlocker } from '../../routing/use-blocker.ts';
import { useStrings } from '../../strings/use-strings.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { hasChangedChecks } from './draft.ts';
import { PublishedSave } from './published-save.tsx';
import { type AssessmentEditor, IncompleteDraft } from './use-editor.ts';

/** Shown at the bottom of the page while there are unsaved changes. Asks for a confirmation before the page is left. */
export function SaveBar({ editor }: { editor: AssessmentEditor }) {
  const { isDirty, isSaving, save, discard, saved, draft, form, kept } = editor;
  const t = useStrings();
  const words = t.authoring.assessment;
  const toasts = useToasts();
  const [isDiscarding, setDiscarding] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const blocker = useBlocker(isDirty);
  const saveAll = async (): Promise<void> => {
    try {
      await save();
      toasts.done(t.common.saved);
    } catch (error) {
      if (error instanceof IncompleteDraft) toasts.inform(words.correctFirst);
      else toasts.failed(error);
    }
  };
  const saveOrAsk = async (): Promise<void> => {
    const isRisky = saved.is_active && hasChangedChecks(draft, saved);
    // Fields that must be corrected are reported first.
    if (isRisky && (await form.trigger())) setAsking(true);
    else await saveAll();
  };
  return (
    <>
      {isDirty && (
        <section
          aria-label={words.unsaved}
          className="sticky bottom-3 z-20 flex flex-wrap items-center gap-2 rounded-lg border border-warn bg-raised px-4 py-3 shadow-lg"
        >
          <p className="mr-auto text-sm font-medium text-warn">{words.unsaved}</p>
          <Button disabled={isSaving} onClick={() => setDiscarding(true)}>
            {words.discard}
          </Button>
          <Button look="primary" isBusy={isSaving} onClick={() => void saveOrAsk()}>
            {t.common.save}
          </Button>
        </section>
      )}
      {isAsking && (
        <PublishedSave
          editor={editor}
          onClose={() => setAsking(false)}
          onSaved={() => {
            setAsking(false);
            toasts.done(t.common.saved);
          }}
          onSaveUntried={() => {
            setAsking(false);
            void saveAll();
          }}
        />
      )}
      <Confirm
        title={words.discardTitle}
        action={words.discard}
        isOpen={isDiscarding}
        onOpenChange={setDiscarding}
        onConfirm={async () => {
          discard();
          kept.drop();
        }}
      >
        <p>{words.discardHelp}</p>
      </Confirm>
      <Confirm
        title={words.leaveTitle}
        action={words.leave}
        isOpen={blocker.isBlocked}
        onOpenChange={(isOpen) => !isOpen && blocker.reset()}
        onConfirm={async () => {
          kept.drop();
          blocker.proceed();
        }}
      >
        <p>{words.leaveHelp}</p>
      </Confirm>
    </>
  );
}
