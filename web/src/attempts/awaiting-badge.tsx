import { useStrings } from '../strings/use-strings.tsx';
import { Badge } from '../ui/card.tsx';

/** Says that people have not graded all tasks of an attempt: there is no score yet. */
export function AwaitingBadge() {
  const { awaiting, awaitingShort } = useStrings().answers;
  return (
    <span title={awaiting}>
      <Badge tone="info">{awaitingShort}</Badge>
    </span>
  );
}
