import { queryOptions, useQuery } from '@tanstack/react-query';
import { Lock } from 'lucide-react';
import { type Answer, api } from '../api/client.ts';
import { okAll } from '../api/problem.ts';
import { useUser } from '../api/use-session.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { courseAssessmentsKey } from './courses.ts';

/** Something that is closed for the user. */
export type Closed = Answer<'/api/openings'>[number];
export type ClosedOf = (kind: Closed['kind'], id: number) => Closed | undefined;

/** It changes with what is passed, as that list does, and with what is completed. */
export const openingsQuery = queryOptions({
  queryKey: [...courseAssessmentsKey, 'closed'],
  queryFn: ({ signal }) => okAll((query) => api.GET('/api/openings', { params: { query }, signal })),
});

/** What is closed for the user. Nothing is for staff, and nothing is known to be before it is loaded. */
export function useClosed(): ClosedOf {
  const isStudent = useUser().role === 'student';
  const { data = [] } = useQuery({ ...openingsQuery, enabled: isStudent });
  return (kind, id) => data.find((part) => part.kind === kind && part.id === id);
}

/** When something opens, and what has to be completed before. */
export function OpensLater({ closed: { opens_at, missing } }: { closed: Closed }) {
  const t = useStrings();
  const format = useFormat();
  return (
    <p className="flex items-start gap-2.5 text-sm text-ink-soft">
      <Lock size={16} aria-hidden="true" className="mt-0.5 shrink-0" />
      <span className="min-w-0">
        {opens_at !== null && `${t.reader.opensAt(format.time(opens_at))} `}
        {missing.length > 0 && t.reader.opensAfter(missing.map(({ title }) => title).join(', '))}
      </span>
    </p>
  );
}
