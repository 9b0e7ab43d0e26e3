import { useStrings } from '../strings/use-strings.tsx';
import { Dialog } from './dialog.tsx';
import { TextField } from './forms/field.tsx';
import { useSentForm } from './forms/form-field.ts';
import { SentForm } from './forms/sent-form.tsx';

/** Asks for the name of a copy. @param field what the service calls the name @param given that of what is copied */
export function CopyDialog<Field extends 'name' | 'title'>({
  title,
  help,
  label,
  field,
  given,
  copy,
  onClose,
}: {
  title: string;
  help: string;
  label: string;
  field: Field;
  given: string;
  copy: (fields: Record<Field, string>) => Promise<void>;
  onClose: () => void;
}) {
  const t = useStrings();
  const sent = useSentForm<Record<string, string>>({ [field]: given }, (values) =>
    copy({ [field]: (values[field] ?? '').trim() } as Record<Field, string>),
  );
  return (
    <Dialog title={title} description={help} isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <SentForm sent={sent} action={t.common.copy}>
        <TextField label={label} required maxLength={200} autoComplete="off" {...sent.field(field)} />
      </SentForm>
    </Dialog>
  );
}
