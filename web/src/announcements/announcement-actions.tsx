import { useQueryClient } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { DeleteButton } from '../ui/delete-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { useUndo } from '../ui/use-undo.ts';
import { AnnouncementForm } from './announcement-form.tsx';
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
