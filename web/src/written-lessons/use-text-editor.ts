import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { dropDraft, keepDraft, keptDraft } from '../api/drafts.ts';
import { isRefusal } from '../api/problem.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { useDoor } from '../teaching-model/door.ts';
import { useToasts } from '../ui/toasts.tsx';
import { changeFile, readFile, type WrittenText, writtenFileQuery } from './queries.ts';

/** Milliseconds without a key press after which the draft is kept. */
const pause = 300;

/** The text of a file while it is written. Unsaved text is kept in this browser. */
export function useTextEditor(file: WrittenText) {
  const words = useStrings().written;
  const client = useQueryClient();
  const door = useDoor();
  const toasts = useToasts();
  const [saved, setSaved] = useState(file);
  const [draft] = useState(() => (file.text === null ? undefined : keptText(file.id)));
  const [text, setText] = useState(draft?.text ?? file.text ?? '');
  /** The revision that the text is based on. */
  const [base, setBase] = useState(draft?.revision ?? file.revision);
  const [isSaving, setSaving] = useState(false);
  /** The newest revision, where it is not the one that the text is based on. */
  const [other, setOther] = useState<WrittenText>();
  const isDirty = saved.text !== null && text !== saved.text;

  const keep = useCallback(
    () => keepText(file.id, isDirty ? { revision: base, text } : null),
    [file.id, isDirty, base, text],
  );
  const latest = useRef(keep);
  // Before the browser can end the page: what it shows as unsaved is kept.
  useLayoutEffect(() => {
    latest.current = keep;
    const timer = setTimeout(keep, pause);
    addEventListener('pagehide', keep);
    return () => {
      clearTimeout(timer);
      removeEventListener('pagehide', keep);
    };
  }, [keep]);
  // The page is left within the app.
  useEffect(() => () => latest.current(), []);

  const show = useCallback(
    (next: WrittenText, revision = next.revision): void => {
      setSaved(next);
      setBase(revision);
      setOther(undefined);
      client.setQueryData(writtenFileQuery(door, next.id).queryKey, next);
      // Lists, the history, and the pages of the lessons.
      void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] !== 'file' || queryKey[2] !== next.id });
    },
    [client, door],
  );
  const save = async (message: string, revision = base): Promise<boolean> => {
    setSaving(true);
    try {
      const next = await changeFile(door, file.id, { text, message, revision });
      show(next);
      toasts.done(words.saved(next.revision));
      return true;
    } catch (error) {
      if (isRefusal(error, 'changed_meanwhile')) setOther(await readFile(door, file.id).catch(() => undefined));
      else toasts.failed(error);
      return false;
    } finally {
      setSaving(false);
    }
  };
  /** The text becomes that of a revision of the service. */
  const take = (next: WrittenText): void => {
    show(next);
    setText(next.text ?? '');
  };
  /** The file has another path. The text stays based on its revision where somebody else has saved another one before. */
  const rename = (next: WrittenText): void => {
    if (!isDirty) take(next);
    else show(next, next.revision === base + 1 ? next.revision : base);
  };
  return {
    ...{ saved, text, setText, isDirty, isSaving, other, save, take, rename },
    hasEarlierDraft: draft !== undefined && draft.text !== file.text,
    discard: () => take(saved),
  };
}

export type TextEditor = ReturnType<typeof useTextEditor>;

/** A text that is not saved yet, and the revision that it is based on. */
type TextDraft = { revision: number; text: string };

const nameOf = (fileId: number): string => `written-lesson-${fileId}`;

/**
 * Keeps a text of the user in this browser until it is saved or the user logs out, so that neither a reload nor a lost connection loses it.
 * Null: there is none any more.
 */
function keepText(fileId: number, draft: TextDraft | null): void {
  if (draft === null) dropDraft(nameOf(fileId));
  else keepDraft(nameOf(fileId), draft, `${draft.revision}`);
}

/** The text of an earlier visit. */
const keptText = (fileId: number): TextDraft | undefined => keptDraft<TextDraft>(nameOf(fileId))?.values;
