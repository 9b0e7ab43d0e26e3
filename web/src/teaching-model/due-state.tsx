import { serverNow } from '../api/server-clock.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Badge } from '../ui/card.tsx';

/** Whether a laboratory was passed, or submitted, after it was due, or is overdue. Nothing where it is on time or has no deadline. */
export function DueState({ dueAt, doneAt }: { dueAt: string | null | undefined; doneAt: string | null }) {
  const t = useStrings();
  if (!dueAt) return null;
  const due = Date.parse(dueAt);
  if (doneAt !== null) return Date.parse(doneAt) > due ? <Badge tone="warn">{t.classes.late}</Badge> : null;
  return serverNow() > due ? <Badge tone="bad">{t.classes.overdue}</Badge> : null;
}
