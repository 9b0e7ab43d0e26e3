import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ClipboardCheck } from 'lucide-react';
import { useUser } from '../api/use-session.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Badge } from '../ui/card.tsx';
import { type Awaiting, awaitingQuery, gradedSearch } from './queries.ts';

/** How many results of a class, of an exam session or of all await the user, with links to where they are graded. */
export function AwaitingLinks({ of = {} }: { of?: Awaiting }) {
  const { answers: words } = useStrings();
  const { data = [] } = useQuery({ ...awaitingQuery(of), enabled: useUser().role !== 'student' });
  if (data.length === 0) return null;
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
      {data.map(({ kind, assessment_id, assessment_title, awaiting_count }) => (
        <li key={`${kind} ${assessment_id}`}>
          <Link
            to="/teaching/grading"
            search={{ ...of, ...gradedSearch(kind, assessment_id) }}
            className="inline-flex min-h-8 items-center gap-1.5 text-accent underline underline-offset-2"
          >
            <ClipboardCheck size={16} aria-hidden="true" className="shrink-0" />
            <span className="min-w-0 wrap-anywhere">{words.awaitingCount(assessment_title, awaiting_count)}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** Says that people have not graded all tasks of an attempt: there is no score yet. */
export function AwaitingBadge() {
  const { awaiting, awaitingShort } = useStrings().answers;
  return (
    <span title={awaiting}>
      <Badge tone="info">{awaitingShort}</Badge>
    </span>
  );
}
