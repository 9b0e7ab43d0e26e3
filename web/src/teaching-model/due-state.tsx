import { serverNow } from '../api/server-clock.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Badge } from '../ui/card.tsx';

/** When a laboratory is due for a student: with the student's own extension. */
export const dueOf = (
  { kind, id }: { kind: string; id: number },
  extensions: readonly { laboratory_id: number; due_at: string }[],
  ofClass: string | null | undefined,
): string | null | undefined =>
  kind === 'laboratory' ? (extensions.find(({ laboratory_id }) => laboratory_id === id)?.due_at ?? ofClass) : ofClass;

/** What lateness has cost a grade. */
export function LateGrade({ late }: { late: { days: number; percent: number } | null }) {
  const t = useStrings();
  return late && <span className="block text-xs text-warn">{t.classes.lateBy(late.days, late.percent)}</span>;
}

/** Whether a laboratory was passed, or submitted, after it was due, or is overdue. Nothing where it is on time or has no deadline. */
export function DueState({ dueAt, doneAt }: { dueAt: string | null | undefined; doneAt: string | null }) {
  const t = useStrings();
  if (!dueAt) return null;
  const due = Date.parse(dueAt);
  if (doneAt !== null) return Date.parse(doneAt) > due ? <Badge tone="warn">{t.classes.late}</Badge> : null;
  return serverNow() > due ? <Badge tone="bad">{t.classes.overdue}</Badge> : null;
}
