import { useQueryClient } from '@tanstack/react-query';
import type { Paragraph } from '../markdown/paragraphs.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { TextArea } from '../ui/forms/field.tsx';
import { fieldOf, useSentForm } from '../ui/forms/form-field.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { changeNote, createNote, type Note, notesKey } from './queries.ts';

/** A note at a paragraph, or the change of the one that is there. Without a text it is a bookmark. */
export function NoteForm({
  lessonId,
  paragraph,
  known,
  onSaved,
}: {
  lessonId: number;
  paragraph: Paragraph;
  known: Note | undefined;
  onSaved: () => void;
}) {
  const t = useStrings();
  const { heading, excerpt } = paragraph;
  const client = useQueryClient();
  const { form, error, onSubmit } = useSentForm({ text: known?.text ?? '' }, async ({ text }) => {
    await (known ? changeNote(known.id, text) : createNote({ theme_id: lessonId, heading, excerpt, text }));
    await client.invalidateQueries({ queryKey: notesKey });
    onSaved();
  });
  return (
    <form className="flex flex-col gap-3" onSubmit={onSubmit}>
      <blockquote className="line-clamp-3 border-l-4 border-accent pl-3 text-sm text-ink-soft">{excerpt}</blockquote>
      <TextArea label={t.notes.text} help={t.notes.textHelp} {...fieldOf(form, 'text')} maxLength={4000} rows={4} />
      {error !== undefined && <ProblemNote error={error} />}
      <Button type="submit" look="primary" className="self-start" isBusy={form.formState.isSubmitting}>
        {t.common.save}
      </Button>
    </form>
  );
}
