import { useQueryClient } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { MarkdownArea } from '../markdown/markdown-area.tsx';
import { useStrings } from '../strings/use-strings.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { DeleteButton } from '../ui/delete-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { useDraftForm } from '../ui/forms/draft-form.ts';
import { DraftNote } from '../ui/forms/draft-note.tsx';
import { TextField } from '../ui/forms/field.tsx';
import { FormButtons } from '../ui/forms/form-buttons.tsx';
import { showArrival } from '../ui/lists/arrivals.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { instant, instantOrNull, localTime, ownZone } from '../ui/time/local-time.ts';
import { useToasts } from '../ui/toasts.tsx';
import { useUndo } from '../ui/use-undo.ts';
import { type Announcement, announcementsKey } from './queries.ts';

/** Edits and deletes an announcement. */
export function AnnouncementActions({ of }: { of: Announcement }) {
  const t = useStrings();
  const words = t.announcements;
  const undo = useUndo();
  const queries = useQueryClient();
  const [isEditing, setEditing] = useState(false);
  const { id, title, class_id } = of;
  const remove = async (): Promise<void> => {
    await ok(api.DELETE('/api/announcements/{id}', { params: { path: { id } } }));
    undo(words.deleted(title), 'announcement', id);
    await queries.invalidateQueries({ queryKey: announcementsKey });
  };
  return (
    <>
      <IconButton label={words.editTitle(title)} aria-haspopup="dialog" onClick={() => setEditing(true)}>
        <Pencil size={18} aria-hidden="true" />
      </IconButton>
      <DeleteButton label={words.deleteLabel(title)} title={words.deleteTitle(title)} onConfirm={remove}>
        {words.deleteHelp} {t.common.undoHelp}
      </DeleteButton>
      <Dialog title={words.editTitle(title)} isOpen={isEditing} onOpenChange={setEditing} width="max-w-2xl">
        <AnnouncementForm classId={class_id} given={of} onDone={() => setEditing(false)} />
      </Dialog>
    </>
  );
}

/** Opens the form of a new announcement. @param classId null for everybody */
export function NewAnnouncement({ classId }: { classId: number | null }) {
  const t = useStrings();
  const [isOpen, setOpen] = useState(false);
  const label = classId === null ? t.announcements.newForEverybody : t.announcements.newOne;
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Dialog title={label} isOpen={isOpen} onOpenChange={setOpen} width="max-w-2xl">
        <AnnouncementForm classId={classId} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

const valuesOf = (given: Announcement | undefined) => ({
  title: given?.title ?? '',
  text: given?.text ?? '',
  shows_from: localTime(given?.shows_from ?? null),
  shows_until: localTime(given?.shows_until ?? null),
});
type Values = ReturnType<typeof valuesOf>;

/** The field has no seconds: a time that was not edited stays as it was. */
function bodyOf(values: Values, given: Announcement | undefined) {
  const { title, text, shows_from, shows_until } = values;
  const before = valuesOf(given);
  return {
    ...{ title, text },
    ...(shows_from === before.shows_from || shows_from === '' ? {} : { shows_from: instant(shows_from) }),
    ...(shows_until === before.shows_until ? {} : { shows_until: instantOrNull(shows_until) }),
  };
}

/** The fields of a new announcement, or of an existing one. @param classId null for everybody */
function AnnouncementForm({
  classId,
  given,
  onDone,
}: {
  classId: number | null;
  given?: Announcement;
  onDone: () => void;
}) {
  const t = useStrings();
  const words = t.announcements;
  const toasts = useToasts();
  const queries = useQueryClient();
  const send = async (values: Values): Promise<void> => {
    const body = bodyOf(values, given);
    const saved = await (given
      ? ok(api.PUT('/api/announcements/{id}', { params: { path: { id: given.id } }, body }))
      : ok(api.POST('/api/announcements', { body: { ...body, class_id: classId } })));
    toasts.done(given ? t.common.saved : words.published);
    await queries.invalidateQueries({ queryKey: announcementsKey });
    onDone();
    if (!given) showArrival('announcement', saved.id);
  };
  const draftName = given ? `announcement-${given.id}` : `announcement-of-${classId ?? 'everybody'}`;
  const { form, field, error, draft, discard, onSubmit } = useDraftForm(draftName, valuesOf(given), send);
  return (
    <form className="flex flex-col gap-4" onSubmit={onSubmit}>
      <DraftNote draft={draft} onDiscard={discard} />
      {error !== undefined && <ProblemNote error={error} />}
      <TextField label={words.name} required maxLength={200} {...field('title')} />
      <MarkdownArea label={words.text} help={words.textHelp} rows={8} maxLength={20_000} {...field('text')} />
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <TextField label={words.from} help={words.fromHelp} type="datetime-local" {...field('shows_from')} />
        <TextField label={words.until} help={words.untilHelp} type="datetime-local" {...field('shows_until')} />
      </div>
      <p className="text-sm text-ink-soft">{t.examSessions.zone(ownZone())}</p>
      <FormButtons>
        <Button type="submit" look="primary" isBusy={form.formState.isSubmitting}>
          {given ? t.common.save : words.publish}
        </Button>
      </FormButtons>
    </form>
  );
}
