import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { Confirm, Dialog } from '../ui/dialog.tsx';
import { Field, inputClasses, TextArea } from '../ui/forms/field.tsx';
import { FormButtons } from '../ui/forms/form-buttons.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { CheckStep } from './check-step.tsx';
import { type ImportCheck, sendTable } from './import-calls.ts';
import type { ImportKind } from './import-kind.ts';

type Checked = { file: Blob; check: ImportCheck };

/** Imports a file or a pasted text: it is checked and its columns are shown before anything is written. */
export function ImportDialog<Result>({
  kind,
  isOpen,
  onClose,
}: {
  kind: ImportKind<Result>;
  isOpen: boolean;
  onClose: () => void;
}) {
  const t = useStrings();
  const [given, setGiven] = useState('');
  const [checked, setChecked] = useState<Checked>();
  const [result, setResult] = useState<Result>();
  const [isAsking, setAsking] = useState(false);
  const close = (): void => {
    setGiven('');
    setChecked(undefined);
    setResult(undefined);
    onClose();
  };
  const imported = (found: Result): void => {
    kind.onImported?.(found);
    if (kind.result) setResult(found);
    else close();
  };
  const shown = result === undefined ? undefined : kind.result?.(result, close);
  return (
    <>
      <Dialog
        title={shown?.title ?? kind.texts.title}
        description={shown?.description ?? (checked ? t.imports.checkLead : kind.texts.lead)}
        width="max-w-3xl"
        isOpen={isOpen}
        onOpenChange={() => (shown?.isShownOnce ? setAsking(true) : close())}
      >
        {shown?.content ??
          (checked ? (
            <CheckStep
              kind={kind}
              {...checked}
              onChecked={setChecked}
              onBack={() => setChecked(undefined)}
              onDone={imported}
            />
          ) : (
            <SourceStep kind={kind} given={given} onGiven={setGiven} onChecked={setChecked} />
          ))}
      </Dialog>
      <Confirm
        title={t.imports.closeTitle}
        action={t.imports.closeNow}
        isOpen={isAsking}
        onOpenChange={setAsking}
        onConfirm={async () => close()}
      >
        {t.imports.closeHelp}
      </Confirm>
    </>
  );
}

/** Chooses a file, or takes a pasted text, and has it checked. */
function SourceStep<Result>({
  kind: { path, query = {}, texts },
  given,
  onGiven,
  onChecked,
}: {
  kind: ImportKind<Result>;
  given: string;
  onGiven: (text: string) => void;
  onChecked: (checked: { file: Blob; check: ImportCheck }) => void;
}) {
  const t = useStrings();
  const send = useMutation({
    mutationFn: async (file: Blob) => ({ file, check: await sendTable<ImportCheck>(`${path}/check`, file, query) }),
    onSuccess: onChecked,
  });
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        send.mutate(new Blob([given]));
      }}
    >
      <Field label={t.imports.file} help={texts.help}>
        {(control) => (
          <input
            {...control}
            type="file"
            accept=".csv,.tsv,.txt,text/csv,text/plain"
            className={inputClasses}
            onChange={({ target }) => {
              const [file] = target.files ?? [];
              // The service finds the encoding of its bytes.
              if (file) send.mutate(file);
            }}
          />
        )}
      </Field>
      <TextArea
        label={texts.text}
        required
        rows={7}
        className="font-mono"
        spellCheck={false}
        placeholder={texts.example}
        value={given}
        onChange={({ target }) => onGiven(target.value)}
      />
      {send.error && <ProblemNote error={send.error} />}
      <FormButtons>
        <Button type="submit" look="primary" isBusy={send.isPending}>
          {t.imports.check}
        </Button>
      </FormButtons>
    </form>
  );
}
