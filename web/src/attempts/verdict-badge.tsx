import { Check, CircleSlash2, X } from 'lucide-react';
import { useStrings } from '../strings/use-strings.tsx';
import { Badge } from '../ui/card.tsx';

/** Whether a task's check passed, as an icon, a colour and a word. */
export function VerdictBadge({ isPassed, points = 0 }: { isPassed: boolean; points?: number }) {
  const t = useStrings();
  if (!isPassed && points > 0)
    return (
      <Badge tone="warn">
        <CircleSlash2 size={13} aria-hidden="true" /> {t.attempts.taskPassedInPart}
      </Badge>
    );
  const Sign = isPassed ? Check : X;
  return (
    <Badge tone={isPassed ? 'good' : 'bad'}>
      <Sign size={13} aria-hidden="true" /> {isPassed ? t.attempts.taskPassed : t.attempts.taskNotPassed}
    </Badge>
  );
}
