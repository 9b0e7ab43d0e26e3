import { useMutation } from '@tanstack/react-query';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { Field, inputClasses, TextArea } from '../ui/forms/field.tsx';
import { FormButtons } from '../ui/forms/form-buttons.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { type ImportCheck, sendTable } from './import-calls.ts';
import type { ImportKind } from './import-kind.ts';

/** Chooses a file, or takes a pasted text, and has it checked. */
export function SourceStep<Result>({
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
