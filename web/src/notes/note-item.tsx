import { useQueryClient } from '@tanstack/react-query';
import { Bookmark, NotebookPen } from 'lucide-react';
import type { ReactNode } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import { DeleteButton } from '../ui/delete-button.tsx';
import { itemOf } from '../ui/lists/arrivals.ts';
import { useUndo } from '../ui/use-undo.ts';
import { deleteNote, type Note, notesKey } from './queries.ts';

/** A note or a bookmark: its paragraph, its text, and its deletion. */
export function NoteItem({ note, place }: { note: Note /** The way to its paragraph. */; place: ReactNode }) {
  const t = useStrings();
  const client = useQueryClient();
  const undo = useUndo();
  const Icon = note.text === '' ? Bookmark : NotebookPen;
  const remove = async (): Promise<void> => {
    await deleteNote(note.id);
    undo(t.notes.removed, 'note', note.id);
    await client.invalidateQueries({ queryKey: notesKey });
  };
  return (
    <div {...itemOf('note', note.id)} className="flex items-start gap-2 panel px-3 py-2 text-sm">
      <Icon size={16} aria-hidden="true" className="mt-1 shrink-0 text-accent" />
      <div className="min-w-0 flex-1 wrap-anywhere">
        {place}
        {note.text !== '' && <p className="mt-1 whitespace-pre-wrap">{note.text}</p>}
      </div>
      <DeleteButton label={t.notes.remove(note.excerpt.slice(0, 40))} title={t.notes.removeTitle} onConfirm={remove}>
        {t.notes.removeHelp}
      </DeleteButton>
    </div>
  );
}
