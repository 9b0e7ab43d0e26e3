import { useStrings } from '../strings/use-strings.tsx';
import { TextArea, TextField } from '../ui/forms/field.tsx';
import { useSentForm } from '../ui/forms/form-field.ts';
import { SentForm } from '../ui/forms/sent-form.tsx';

type Sent = { text: string; line?: number };

/** @param hasLines whether the comment can be about a line of an output @param line that which was chosen */
export function CommentForm({
  hasLines,
  line: chosen,
  onSend,
}: {
  hasLines: boolean;
  line?: number | undefined;
  onSend: (comment: Sent) => Promise<void>;
}) {
  const { feedback: words } = useStrings();
  const sent = useSentForm({ text: '', line: `${chosen ?? ''}` }, ({ text, line }) =>
    onSend({ text, ...(line !== '' && { line: Number(line) }) }),
  );
  return (
    <SentForm sent={sent} action={words.save}>
      <TextArea label={words.commentText} rows={4} maxLength={5000} required {...sent.field('text')} />
      {hasLines && (
        <TextField
          label={words.commentLine}
          help={words.commentLineHelp}
          type="number"
          min={1}
          max={100_000}
          {...sent.field('line')}
        />
      )}
    </SentForm>
  );
}
