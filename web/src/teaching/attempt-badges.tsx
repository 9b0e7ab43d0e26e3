import { AwaitingBadge } from '../attempts/awaiting.tsx';
import { statusTones } from '../attempts/status.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Badge } from '../ui/card.tsx';
import type { ListedAttempt } from './queries.ts';

export function StatusBadge({ status }: { status: ListedAttempt['status'] }) {
  const t = useStrings();
  return <Badge tone={statusTones[status]}>{t.teaching.statuses[status]}</Badge>;
}

/** Empty while there is no verdict and nobody has to give one. */
export function PassedBadge({
  attempt: { passed, is_awaiting_grading },
}: {
  attempt: Pick<ListedAttempt, 'passed' | 'is_awaiting_grading'>;
}) {
  const t = useStrings();
  if (is_awaiting_grading) return <AwaitingBadge />;
  if (passed === null) return null;
  return <Badge tone={passed ? 'good' : 'bad'}>{passed ? t.teaching.passed : t.teaching.failed}</Badge>;
}

/** A person's name, and the username below it. */
export function Person({ username, full_name }: { username: string; full_name: string | null }) {
  return (
    <span className="block">
      <span className="block font-medium">{full_name || username}</span>
      {full_name && <span className="block text-xs font-normal text-ink-soft">{username}</span>}
    </span>
  );
}
