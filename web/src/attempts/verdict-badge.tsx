import { Check, X } from 'lucide-react';
import { useStrings } from '../strings/use-strings.tsx';
import { Badge } from '../ui/card.tsx';

/** Whether a task's check passed, as an icon, a colour and a word. */
export function VerdictBadge({ isPassed }: { isPassed: boolean }) {
  const t = useStrings();
  const Sign = isPassed ? Check : X;
  return (
    <Badge tone={isPassed ? 'good' : 'bad'}>
      <Sign size={13} aria-hidden="true" /> {isPassed ? t.attempts.taskPassed : t.attempts.taskNotPassed}
    </Badge>
  );
}
