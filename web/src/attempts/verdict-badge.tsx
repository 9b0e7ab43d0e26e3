import { Check, CircleSlash2, X } from 'lucide-react';
import { useStrings } from '../strings/use-strings.tsx';
import { Badge } from '../ui/card.tsx';
import { outcomeOf } from './status.ts';

const signs = { passed: Check, part: CircleSlash2, failed: X } as const;
const tones = { passed: 'good', part: 'warn', failed: 'bad' } as const;

/** What became of a task, as an icon, a colour and a word. */
export function VerdictBadge({ result }: { result: { passed: boolean; points_earned: number } }) {
  const { taskPassed, taskPassedInPart, taskNotPassed } = useStrings().attempts;
  const outcome = outcomeOf(result);
  const Sign = signs[outcome];
  return (
    <Badge tone={tones[outcome]}>
      <Sign size={13} aria-hidden="true" />{' '}
      {{ passed: taskPassed, part: taskPassedInPart, failed: taskNotPassed }[outcome]}
    </Badge>
  );
}
