import { useQueryClient } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { Prose } from '../markdown/prose.tsx';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { type Announcement, announcementsKey } from './queries.ts';

/** The text of an announcement, and a button for one that is not read. */
export function AnnouncementBody({ of }: { of: Announcement }) {
  return (
    <>
      {of.text.trim() !== '' && <Prose text={of.text} />}
      {of.is_shown && !of.is_read && <ReadButton of={of} />}
    </>
  );
}

function ReadButton({ of: { id, title } }: { of: Announcement }) {
  const t = useStrings();
  const toasts = useToasts();
  const queries = useQueryClient();
  const read = async (): Promise<void> => {
    await ok(api.POST('/api/announcements/{id}/read', { params: { path: { id } } }));
    await queries.invalidateQueries({ queryKey: announcementsKey });
  };
  return (
    <Button size="small" className="self-start" onClick={() => void read().catch(toasts.failed)}>
      <Check size={16} aria-hidden="true" /> {t.announcements.markRead}
      <span className="sr-only">: {title}</span>
    </Button>
  );
}
