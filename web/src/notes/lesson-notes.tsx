import { useQuery, useQueryClient } from '@tanstack/react-query';
import { NotebookPen } from 'lucide-react';
import { useEffect, useState } from 'react';
import { currentParagraph, elementOf, elementsOf, type Paragraph } from '../markdown/paragraphs.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextArea } from '../ui/forms/field.tsx';
import { useSentForm } from '../ui/forms/form-field.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { NoteItem } from './note-item.tsx';
import { changeNote, createNote, lessonNotesQuery, type Note, notesKey } from './queries.ts';

/** The notes and bookmarks of a lesson, and a new one at the paragraph that the reader reads. Their paragraphs are marked in the text. */
export function LessonNotes({ lessonId, scroller }: { lessonId: number; scroller: HTMLElement | null }) {
  const t = useStrings();
  const { data: notes = [] } = useQuery(lessonNotesQuery(lessonId));
  const [isOpen, setOpen] = useState(false);
  const [paragraph, setParagraph] = useState<Paragraph>();
  useMarks(scroller, notes);
  const open = (): void => {
    setParagraph(scroller ? currentParagraph(scroller) : undefined);
    setOpen(true);
  };
  const go = (place: Paragraph): void => {
    setOpen(false);
    // The dialog gives the focus back first.
    requestAnimationFrame(() => scroller && elementOf(scroller, place)?.scrollIntoView({ block: 'center' }));
  };
  const known = notes.find((note) => note.excerpt === paragraph?.excerpt && note.heading === paragraph.heading);
  return (
    <>
      <Button size="small" aria-haspopup="dialog" onClick={open}>
        <NotebookPen size={16} aria-hidden="true" />
        <span className="max-sm:sr-only">{t.notes.ofLesson(notes.length)}</span>
      </Button>
      <Dialog title={t.notes.title} description={t.notes.privacy} isOpen={isOpen} onOpenChange={setOpen}>
        <div className="flex flex-col gap-4">
          {paragraph ? (
            <NoteForm {...{ lessonId, paragraph, known }} onSaved={() => setOpen(false)} />
          ) : (
            <p className="text-sm text-ink-soft">{t.notes.noParagraph}</p>
          )}
          {notes.length > 0 && (
            <ul className="flex flex-col gap-2" aria-label={t.notes.title}>
              {notes.map((note) => (
                <li key={note.id}>
                  <NoteItem
                    note={note}
                    place={
                      <button type="button" className="text-left text-accent underline" onClick={() => go(note)}>
                        {note.excerpt}
                      </button>
                    }
                  />
                </li>
              ))}
            </ul>
          )}
        </div>
      </Dialog>
    </>
  );
}

/** Marks the paragraphs with notes, also those of a text that is still being shown. */
function useMarks(scroller: HTMLElement | null, notes: readonly Paragraph[]): void {
  useEffect(() => {
    if (!scroller || notes.length === 0) return;
    const marked = new Set<HTMLElement>();
    const mark = (): void => {
      for (const element of elementsOf(scroller, notes)) {
        if (!element) continue;
        element.dataset['noted'] = '';
        marked.add(element);
      }
    };
    const text = scroller.querySelector('.lesson-text');
    const observer = new MutationObserver(() => {
      if (scroller.querySelector('.lesson-text[aria-busy=false]')) mark();
    });
    observer.observe(scroller, { subtree: true, attributeFilter: ['aria-busy'], childList: text === null });
    mark();
    return () => {
      observer.disconnect();
      for (const element of marked) delete element.dataset['noted'];
    };
  }, [scroller, notes]);
}

/** A note at a paragraph, or the change of the one that is there. Without a text it is a bookmark. */
function NoteForm({
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
  const { form, field, error, onSubmit } = useSentForm({ text: known?.text ?? '' }, async ({ text }) => {
    await (known ? changeNote(known.id, text) : createNote({ theme_id: lessonId, heading, excerpt, text }));
    await client.invalidateQueries({ queryKey: notesKey });
    onSaved();
  });
  return (
    <form className="flex flex-col gap-3" onSubmit={onSubmit}>
      <blockquote className="line-clamp-3 border-l-4 border-accent pl-3 text-sm text-ink-soft">{excerpt}</blockquote>
      <TextArea label={t.notes.text} help={t.notes.textHelp} {...field('text')} maxLength={4000} rows={4} />
      {error !== undefined && <ProblemNote error={error} />}
      <Button type="submit" look="primary" className="self-start" isBusy={form.formState.isSubmitting}>
        {t.common.save}
      </Button>
    </form>
  );
}
