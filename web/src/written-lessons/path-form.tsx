import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/forms/field.tsx';
import { useSentForm } from '../ui/forms/form-field.ts';
import { ProblemNote } from '../ui/problem-note.tsx';

/** Names a file. */
export function PathForm({
  path,
  onSend,
  onClose,
}: {
  path: string;
  onSend: (path: string) => Promise<void>;
  onClose: () => void;
}) {
  const t = useStrings();
  const { form, field, error, onSubmit } = useSentForm({ path }, async (values) => await onSend(values.path.trim()));
  return (
    <form className="flex flex-col gap-4" onSubmit={onSubmit}>
      <TextField
        label={t.written.path}
        help={t.written.pathHelp}
        {...field('path')}
        className="font-mono"
        autoComplete="off"
        spellCheck={false}
        maxLength={1000}
        required
      />
      {error !== undefined && <ProblemNote error={error} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{t.common.cancel}</Button>
        <Button type="submit" look="primary" isBusy={form.formState.isSubmitting}>
          {t.common.save}
        </Button>
      </div>
    </form>
  );
}
