import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ClipboardCheck } from 'lucide-react';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useUser } from '../api/use-session.ts';
import { useStrings } from '../strings/use-strings.tsx';

type Of = { session_id?: number; class_id?: number };

/** Milliseconds between two polls. */
const interval = 60_000;

export const awaitingQuery = (query: Of) =>
  queryOptions({
    queryKey: ['teaching', 'grading', 'awaiting', query],
    refetchInterval: interval,
    queryFn: ({ signal }) => ok(api.GET('/api/instructor/grading/awaiting', { params: { query }, signal })),
  });

/** Where the grading page shows an exam or a laboratory. */
export const gradedSearch = (kind: 'exam' | 'laboratory', id: number) =>
  kind === 'exam' ? { exam_id: id } : { laboratory_id: id };

/** How many results of a class, of an exam session or of all await the user, with links to where they are graded. */
export function AwaitingLinks({ of = {} }: { of?: Of }) {
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
